package cluster

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
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Topics of tokens are what a barrier has most of. They are in the store, or, in a job with a directory for
// its state, in files there, on a disk that all workers see: then the store has rows and changes alone.

// topicsKey is where the topics of a part at a barrier are: a key, or the path of a file.
func (j *Job) topicsKey(part, round int) string {
	if j.Spec.State == "" {
		return j.keys.topics(part, round)
	}
	return filepath.Join(j.stateDir(), fmt.Sprintf("part-%d.topics-%d", part, round))
}

// originKey is where the topics are with which a part begins.
func (j *Job) originKey(part int) string {
	if j.Spec.State == "" {
		return j.keys.part(part, "first")
	}
	return filepath.Join(j.stateDir(), fmt.Sprintf("part-%d.first", part))
}

// stateDir is the job's own directory in that of the state.
func (j *Job) stateDir() string { return filepath.Join(j.Spec.State, j.Name+"-"+j.id()) }

// isFile tells paths from keys.
func isFile(key string) bool { return !strings.HasPrefix(key, "topoi:") }

// putTopics writes topics under a key, or to a file.
func (j *Job) putTopics(ctx context.Context, part, round int, key string, z []uint32) error {
	if isFile(key) {
		return j.writeTopics(part, round, key, len(z), func(f func(z []uint32) error) error { return f(z) })
	}
	return j.putEncoded(ctx, part, round, key, blob.EncodeTopics(j.partID(part, round), z, j.Topics))
}

// writeTopics writes n topics, which come in runs, to a file.
func (j *Job) writeTopics(part, round int, path string, n int, each func(f func(z []uint32) error) error) error {
	return j.putFile(path, func(w io.Writer) error { return blob.WriteTopics(w, j.partID(part, round), n, each, j.Topics) })
}

// putEncoded is putTopics for a blob.
func (j *Job) putEncoded(ctx context.Context, part, round int, key string, b []byte) error {
	if !isFile(key) {
		return j.put(ctx, []blobWrite{{j.keys.part(part, "head"), key, round, b}})
	}
	return j.putFile(key, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// putFile writes a file of the job's state.
func (j *Job) putFile(key string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(j.stateDir(), 0o777); err != nil {
		return fmt.Errorf("the state of job %s cannot be written: %w: see that all workers see and may write its directory", j.Name, err)
	}
	f, err := wholefile.Create(key)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return wholefile.Explain(key, err)
	}
	return f.Commit()
}

// getTopics reads what putTopics wrote, which must be there.
func (j *Job) getTopics(ctx context.Context, key string) ([]byte, error) {
	if !isFile(key) {
		values, err := j.store.Get(ctx, key)
		if err == nil {
			err = firstMissing([]string{key}, values)
		}
		if err != nil {
			return nil, err
		}
		return values[0], nil
	}
	b, err := os.ReadFile(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(key)
	}
	return b, err
}

// absent returns those of keys and paths that do not exist.
func (j *Job) absent(ctx context.Context, names []string) ([]string, error) {
	var keys, gone []string
	for _, name := range names {
		if !isFile(name) {
			keys = append(keys, name)
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, name)
		} else if err != nil {
			return nil, err
		}
	}
	absent, err := j.store.Missing(ctx, keys...)
	return append(gone, absent...), err
}

// cleanState removes the files of barriers before a round.
func (j *Job) cleanState(round int) error {
	if j.Spec.State == "" {
		return nil
	}
	files, err := os.ReadDir(j.stateDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		_, number, _ := strings.Cut(f.Name(), ".topics-")
		at, err := strconv.Atoi(number)
		if first := strings.HasSuffix(f.Name(), ".first"); first || err == nil && at < round {
			if err := os.Remove(filepath.Join(j.stateDir(), f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// removeState removes the job's files, where they can be seen.
func (j *Job) removeState() error {
	if j.Spec.State == "" {
		return nil
	}
	return os.RemoveAll(j.stateDir())
}
