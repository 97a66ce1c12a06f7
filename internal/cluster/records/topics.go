package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Topics of tokens are what a barrier has most of. They are in the store, or, in a job with a directory for
// its state, in files there, on a disk that all workers see: then the store has rows and changes alone.

// PutTopics writes topics under a key, or to a file.
func (j *Job) PutTopics(ctx context.Context, part, round int, key string, z []uint32) error {
	if protocol.IsFile(key) {
		return j.WriteTopics(part, round, key, len(z), func(f func(z []uint32) error) error { return f(z) })
	}
	return j.PutEncoded(ctx, part, round, key, blob.EncodeTopics(j.PartID(part, round), z, j.Topics))
}

// WriteTopics writes n topics, which come in runs, to a file.
func (j *Blobs) WriteTopics(part, round int, path string, n int, each func(f func(z []uint32) error) error) error {
	return j.PutFile(path, func(w io.Writer) error { return blob.WriteTopics(w, j.PartID(part, round), n, each, j.Topics) })
}

// PutEncoded is PutTopics for a blob.
func (j *Job) PutEncoded(ctx context.Context, part, round int, key string, b []byte) error {
	if !protocol.IsFile(key) {
		return j.Put(ctx, []Write{{j.Key.Part(part, "head"), key, round, b}})
	}
	return j.PutFile(key, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// PutFile writes a file of the job's state.
func (j *Blobs) PutFile(key string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(j.StateDir(), 0o777); err != nil {
		return fmt.Errorf("the state of job %s cannot be written: %w: see that workers may write its directory", j.Name, err)
	}
	f, err := wholefile.CreateShared(key)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return wholefile.Explain(key, err)
	}
	return f.Commit()
}

// GetTopics reads what PutTopics wrote, which must be there.
func (j *Blobs) GetTopics(ctx context.Context, key string) ([]byte, error) {
	if !protocol.IsFile(key) {
		values, err := j.Store.Get(ctx, key)
		if err == nil {
			err = protocol.FirstMissing([]string{key}, values)
		}
		if err != nil {
			return nil, err
		}
		return values[0], nil
	}
	b, err := os.ReadFile(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Missing(key)
	}
	return b, err
}

// Absent returns those of keys and paths that do not exist.
func (j *Blobs) Absent(ctx context.Context, names []string) ([]string, error) {
	var keys, gone []string
	for _, name := range names {
		if !protocol.IsFile(name) {
			keys = append(keys, name)
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, name)
		} else if err != nil {
			return nil, err
		}
	}
	absent, err := j.Store.Missing(ctx, keys...)
	return append(gone, absent...), err
}

// cleanState removes the files of barriers before a round.
func (j *Blobs) cleanState(round int) error {
	if !j.InFiles() {
		return nil
	}
	files, err := os.ReadDir(j.StateDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		_, number, _ := strings.Cut(f.Name(), ".topics-")
		at, err := strconv.Atoi(number)
		if first := strings.HasSuffix(f.Name(), ".first"); first || err == nil && at < round {
			if err := os.Remove(filepath.Join(j.StateDir(), f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// removeState removes the job's files.
func (j *Blobs) removeState() error {
	if j.Spec.State == "" {
		return nil
	}
	return os.RemoveAll(j.StateDir())
}
