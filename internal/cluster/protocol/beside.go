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
func (j *Job) putBeside(key string, b []byte) (err error) {
	path := j.besideFile(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("the state of job %s cannot be written: %w", j.Name, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wholefile.Explain(path, err)
	}
	_, err = f.Write(b)
	j.Store.Passed(len(b), 0)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(f.Name()) // its directory is removed with its round anyway
		return wholefile.Explain(path, err)
	}
	return nil
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
		if blobs[i], err = os.ReadFile(j.besideFile(names[i])); errors.Is(err, fs.ErrNotExist) {
			blobs[i] = nil
		} else if err != nil {
			return nil, err
		}
		j.Store.Passed(0, len(blobs[i]))
	}
	return blobs, nil
}

// GetInto fetches a blob, which must be there, in the given room if that is large enough. What is in a file is read without another copy.
func (j *Job) GetInto(ctx context.Context, room []byte, name string) ([]byte, error) {
	values, err := j.Store.Get(ctx, name)
	if err == nil {
		err = FirstMissing([]string{name}, values)
	}
	if err != nil || !j.beside() || !bytes.Equal(values[0], besideMark) {
		return append(room[:0], values[0]...), err
	}
	f, err := os.Open(j.besideFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return room, Missing(name)
	}
	if err != nil {
		return room, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return room, err
	}
	n := int(info.Size())
	room = slices.Grow(room[:0], n)[:n]
	_, err = io.ReadFull(f, room)
	j.Store.Passed(0, n)
	return room, err
}

// Delete deletes blobs; those that do not exist are no fault.
func (j *Job) Delete(ctx context.Context, names ...string) error {
	err := j.Store.Delete(ctx, names...)
	if err != nil || !j.beside() {
		return err
	}
	for _, name := range names {
		if path := j.besideFile(name); path != "" {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// cleanBeside removes the blobs of rounds before one, and those with which the job began.
func (j *Job) cleanBeside(round int) error {
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
