// Package wholefile writes files that appear whole or not at all. It writes a temporary file beside the destination,
// syncs it, and renames it to the destination.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/machine"
)

// File is an unfinished file. Nothing appears at its path until Commit; Abort leaves what was there before.
type File struct {
	*os.File
	path   string
	direct bool // the path is a device or a pipe, which is written to and never replaced
	done   bool
	claim  *claim.Set // of the path; nil: none
}

// Create begins a file that Commit will put at path. This process owns path until then. A device or a pipe at path is
// written to and not replaced.
func Create(path string) (*File, error) {
	f, owned, err := own(path, CreateShared)
	if err == nil {
		f.claim = owned
	}
	return f, err
}

// CreateShared is Create for a path that this process owns already, or that needs no owner because all writers write
// the same content.
func CreateShared(path string) (*File, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
	case info.IsDir():
		return nil, fmt.Errorf("cannot write %s: it is a directory", path)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return nil, Explain(path, err)
		}
		return &File{File: f, path: path, direct: true}, nil
	}
	f, err := makeTemporary(path, func(name string) (*os.File, error) {
		// Unlike os.CreateTemp, the mode lets the user's umask decide who may read the result.
		return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	})
	if err != nil {
		return nil, Explain(path, err)
	}
	return &File{File: f, path: path}, nil
}

// Commit makes the content durable and renames the file to its path. It replaces a file that is there. After an error
// nothing is left behind. The error wraps claim.ErrTaken if this process has lost the place meanwhile.
func (f *File) Commit() error {
	if f.direct {
		f.done = true
		return f.Close()
	}
	defer f.claim.Release()
	if err := claim.Verify(f.path); err != nil {
		f.Abort()
		return err
	}
	err := f.Sync()
	if canLock && err == nil { // with the lock, so that nobody takes it for a leftover
		err = os.Rename(f.Name(), f.path)
	}
	if closeErr := f.Close(); err == nil && !canLock {
		err = closeErr
	}
	if !canLock && err == nil { // some systems do not rename an open file
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		f.Abort()
		return Explain(f.path, err)
	}
	f.done = true
	return SyncDir(filepath.Dir(f.path))
}

// Abort removes the unfinished file. After Commit it does nothing, so that it can be deferred.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.Close()
	if !f.direct {
		os.Remove(f.Name())
	}
	f.claim.Release()
}

// Write creates a file at path with the content that write writes. Errors of the file system name the path;
// others are returned as they are.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	b := bufio.NewWriterSize(f, 1<<16)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	var system *fs.PathError
	switch {
	case errors.As(err, &system):
		return Explain(path, err)
	case err != nil:
		return err
	}
	return f.Commit()
}

// Put creates a file at path with the given content, as CreateShared does.
func Put(path string, content []byte) error {
	f, err := CreateShared(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(content); err != nil {
		return Explain(path, err)
	}
	return f.Commit()
}

// Explain turns an error about writing path into one sentence. The sentence names path, not the temporary file, and
// says what to do. The error wraps the cause. Explain returns nil for nil.
func Explain(path string, err error) error {
	if err == nil {
		return nil
	}
	dir := filepath.Dir(path)
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	cause := err
	switch {
	case errors.As(err, &pathErr):
		cause = pathErr.Err
	case errors.As(err, &linkErr):
		cause = linkErr.Err
	}
	switch there := nearest(dir); {
	case errors.Is(err, fs.ErrNotExist) && there != dir && errors.Is(machine.Writable(there), fs.ErrPermission):
		return fmt.Errorf("cannot write %s: there is no directory %s, and it cannot be made because %s is not writable; "+
			"choose another place (%w)", path, dir, there, cause)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot write %s: the directory %s does not exist; make it first (%w)", path, dir, cause)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot write %s: the directory %s is not writable (%w)", path, there, cause)
	}
	return fmt.Errorf("cannot write %s: %w", path, cause)
}

// nearest returns dir, or the closest directory above it that exists.
func nearest(dir string) string {
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// Summed hashes and counts bytes while they are written.
type Summed struct {
	Size int64 // bytes so far
	to   io.Writer
	hash *xxh3.Hasher
}

// NewSummed returns a Summed that writes to w.
func NewSummed(w io.Writer) *Summed { return &Summed{to: w, hash: xxh3.New()} }

// Sum returns the XXH3-128 of all that was written.
func (s *Summed) Sum() []byte {
	sum := s.hash.Sum128().Bytes()
	return sum[:]
}

// Put writes b. Another goroutine hashes long slices, in pieces that fit a core's cache.
func (s *Summed) Put(b []byte) error {
	const piece, short = 1 << 20, 1 << 16
	s.Size += int64(len(b))
	for len(b) > short {
		now := b[:min(piece, len(b))]
		b = b[len(now):]
		var group guard.Group
		group.Go(func() { s.hash.Write(now) })
		_, err := s.to.Write(now)
		group.Wait()
		if err != nil {
			return err
		}
	}
	s.hash.Write(b)
	_, err := s.to.Write(b)
	return err
}
