package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/claim"
)

// A temporary file or directory is named after its final name, with a random number:
//
//	.corpus.topoi.0123abcd.topoi-tmp
//
// The process that makes it locks it. The system releases the lock when the process ends, for whatever reason.
// So a temporary file without a lock was left by a killed run. The next run that writes the same path removes it.
const suffix = ".topoi-tmp"

// canLock reports whether temporary files are locked.
const canLock = claim.Renames

func lock(f *os.File) (locked, taken bool) {
	if !canLock {
		return false, false
	}
	return claim.Lock(f, false)
}

// tries bounds how often another name is tried.
const tries = 100

// makeTemporary makes a temporary file or directory for path and locks it. create must fail if the name is taken.
func makeTemporary(path string, create func(name string) (*os.File, error)) (*os.File, error) {
	if _, done := swept.LoadOrStore(path, true); !done {
		Clear(path)
	}
	for try := 0; ; try++ {
		name := fmt.Sprintf(".%s.%08x%s", filepath.Base(path), rand.Uint32(), suffix)
		f, err := create(filepath.Join(filepath.Dir(path), name))
		if errors.Is(err, fs.ErrExist) && try < tries {
			continue
		}
		if err != nil {
			return nil, err
		}
		locked, taken := lock(f)
		if locked && claim.IsAt(f, f.Name()) || !locked && !taken { // the latter on a file system without locks
			return f, nil
		}
		f.Close() // another process found it before it was locked and is removing it
		if try == tries {
			return nil, fmt.Errorf("%s was removed again and again", f.Name())
		}
	}
}

// Dir is an unfinished directory. The caller renames Temporary to its final path, or calls Abort, which removes it.
type Dir struct {
	Temporary string // where the directory is until then
	path      string
	lock      *os.File
	claim     *claim.Set
}

// MakeDir makes an empty directory that will be at path. This process owns path until Abort.
func MakeDir(path string) (*Dir, error) {
	d, owned, err := own(path, makeDir)
	if err == nil {
		d.claim = owned
	}
	return d, err
}

// own makes something at a path that this process owns from then on.
func own[T any](path string, make func(path string) (T, error)) (made T, owned *claim.Set, err error) {
	if owned, err = claim.Share(claim.At(path)); err != nil {
		return made, nil, err
	}
	if made, err = make(path); err != nil {
		owned.Release()
	}
	return made, owned, err
}

func makeDir(path string) (*Dir, error) {
	f, err := makeTemporary(path, func(name string) (*os.File, error) {
		if err := os.Mkdir(name, 0o777); err != nil {
			return nil, err
		}
		return os.Open(name)
	})
	if err != nil {
		return nil, Explain(path, err)
	}
	return &Dir{Temporary: f.Name(), path: path, lock: f}, nil
}

// Abort removes the directory with its content, if it is still where it was made, and releases path.
func (d *Dir) Abort() {
	if d.lock != nil {
		_ = os.RemoveAll(d.Temporary)
		d.lock.Close()
		d.lock = nil
		d.claim.Release()
	}
}

// TempDir makes a directory for this process among the system's temporary files. It also removes those that killed
// processes have left.
func TempDir(what string) (*Dir, error) {
	d, err := makeDir(filepath.Join(os.TempDir(), "topoi-"+what))
	if err == nil {
		err = os.Chmod(d.Temporary, 0o700) // for this user only
	}
	return d, err
}

var swept sync.Map // paths whose leftovers this process has removed

// Clear removes the temporary files that killed runs have left for path. Writing to path does so once in a process.
func Clear(path string) {
	if !canLock {
		return
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // the write will report the error
	}
	for _, e := range entries {
		if pattern := ".????????" + suffix; isLeftover(e.Name(), "."+filepath.Base(path), pattern) {
			removeUnlocked(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// isLeftover reports whether a name is prefix followed by a match of pattern.
func isLeftover(name, prefix, pattern string) bool {
	rest, ours := strings.CutPrefix(name, prefix)
	match, err := filepath.Match(pattern, rest)
	return ours && match && err == nil
}

// leftAlone is how long nobody must have written to a temporary file that another machine may have locked.
const leftAlone = time.Hour

// local is claim.Local. Tests replace it, to be on a file system that machines share.
var local = claim.Local

// removeUnlocked removes a file or directory whose owner is gone.
func removeUnlocked(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !local(filepath.Dir(path)) && time.Since(info.ModTime()) < leftAlone {
		return
	}
	if locked, _ := lock(f); locked && claim.IsAt(f, path) {
		_ = os.RemoveAll(path) // it may be another user's
	}
}

// earlyBytes is how much is written between two hints to the disk.
const earlyBytes = 8 << 20

// Early returns a writer that appends to f. Where the system supports it, the writer asks the disk to begin writing
// early, so that Sync waits less.
func Early(f *os.File) io.Writer { return &early{file: f} }

type early struct {
	file          *os.File
	written, told int64
}

func (e *early) Write(b []byte) (int, error) {
	n, err := e.file.Write(b)
	if e.written += int64(n); e.written-e.told >= earlyBytes {
		BeginWriting(e.file, e.told, e.written-e.told)
		e.told = e.written
	}
	return n, err
}

// swap does what Exchange does by three renames, for systems that cannot do it in one step. If the second rename
// fails, it puts b back.
func swap(a, b string) error {
	aside := a + ".old"
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return errors.Join(err, os.Rename(aside, b))
	}
	return os.Rename(aside, a)
}
