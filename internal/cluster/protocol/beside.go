package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Where all workers are on one machine and the job has a directory for its state, large blobs are in files there, and the store has a
// mark under their keys: what must be seen together is seen there as ever, and a blob is copied once each way, where a store
// copies it through two sockets. Nobody waits for the disk. A blob that it lost is one that the store has lost.

// besideMark is the value of a key whose blob is in a file. Blobs begin otherwise.
var besideMark = []byte("in a file")

// besideBytes is the size from which on a blob goes to a file.
const besideBytes = 1 << 14

// beside says whether large blobs are in files.
func (j *Job) beside() bool { return j.Plain && j.Spec.State != "" }

// besideFile is the file of a key, those of each round in a directory; "" for a key that never has one.
func (j *Job) besideFile(key string) string {
	_, name, ok := strings.Cut(key, ":{"+j.Name+":")
	if !ok {
		return ""
	}
	dir := "first"
	if fields := strings.Split(name, ":"); len(fields) > 2 && fields[1] != "first" {
		dir = roundDir + fields[2]
	}
	return filepath.Join(j.stateDir(), dir, strings.NewReplacer("}", "", ":", "-").Replace(name))
}

// roundDir is what the names of rounds' directories begin with.
const roundDir = "round-"

// putBeside writes a blob to its file. If its round's directory is removed meanwhile, the round is over, and so says the store.
func (j *Job) putBeside(key string, b []byte) error {
	path := j.besideFile(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("the state of job %s cannot be written: %w", j.Name, err)
	}
	j.Store.Passed(len(b), 0)
	if f := j.spares.take(); f != nil && fill(f, b, path) == nil {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err == nil {
		err = fill(f, b, path)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return wholefile.Explain(path, err)
}

// fill makes b the content of an open file, and path its name. If that fails, the file is removed.
func fill(f *os.File, b []byte, path string) error {
	_, err := f.Write(b)
	if err == nil {
		err = f.Truncate(int64(len(b)))
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what is wrong with it is said already
	}
	return err
}

// Get fetches blobs, nil for those that are not there.
func (j *Job) Get(ctx context.Context, names ...string) ([][]byte, error) {
	blobs, err := j.Store.Get(ctx, names...)
	if err != nil || !j.beside() {
		return blobs, err
	}
	for i, b := range blobs {
		if !bytes.Equal(b, besideMark) {
			continue
		}
		if blobs[i], err = readBeside(nil, j.besideFile(names[i])); errors.Is(err, fs.ErrNotExist) {
			blobs[i] = nil
		} else if err != nil {
			return nil, err
		}
		j.Store.Passed(0, len(blobs[i]))
	}
	return blobs, nil
}

// GetInto fetches a blob, which must be there, in the given room if that is large enough. What is in a file is read without another copy, and
// without asking the store, which whoever waits for a blob has done.
func (j *Job) GetInto(ctx context.Context, room []byte, name string) ([]byte, error) {
	if j.beside() {
		b, err := readBeside(room, j.besideFile(name))
		if err == nil {
			j.Store.Passed(0, len(b))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return b, err
		}
	}
	values, err := j.Store.Get(ctx, name)
	if err == nil {
		err = FirstMissing([]string{name}, values)
	}
	if err == nil && j.beside() && bytes.Equal(values[0], besideMark) {
		err = Missing(name)
	}
	if err != nil {
		return room, err
	}
	return append(room[:0], values[0]...), nil
}

// readBeside reads a file.
func readBeside(room []byte, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return room, err
	}
	defer f.Close()
	return readOpen(room, f, path)
}

// readOpen reads a file that was opened by a name. If it has that name no more, it is deleted, and may have been overwritten.
func readOpen(room []byte, f *os.File, path string) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return room, err
	}
	n := int(info.Size())
	room = slices.Grow(room[:0], n)[:n]
	_, fault := io.ReadFull(f, room)
	now, err := os.Lstat(path)
	if err == nil && !os.SameFile(info, now) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return room, err
	}
	return room, fault
}

// Delete deletes blobs; those that do not exist are no fault.
func (j *Job) Delete(ctx context.Context, names ...string) error {
	err := j.Store.Delete(ctx, names...)
	if err != nil || !j.beside() {
		return err
	}
	for _, name := range names {
		if path := j.besideFile(name); path != "" {
			if err := j.spares.add(path, j.spareDir(), j.Slices*j.Parts); err != nil {
				return err
			}
		}
	}
	return nil
}

// cleanBeside removes the blobs of rounds before one, and those with which the job began.
func (j *Job) cleanBeside(round int) error {
	if err := j.cleanSpares(); err != nil {
		return err
	}
	dirs, err := os.ReadDir(j.stateDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range dirs {
		number, ok := strings.CutPrefix(d.Name(), roundDir)
		at, err := strconv.Atoi(number)
		if d.Name() == "first" || ok && err == nil && at < round {
			// What is written there at this moment goes with the next barrier, or with the job.
			if err := os.RemoveAll(filepath.Join(j.stateDir(), d.Name())); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return nil
}
