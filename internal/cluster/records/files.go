package records

import (
	"bytes"
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

// SaveTopics writes n topics of a part, which each passes in runs. It writes them to a file if the job has a
// directory for its topics, which all workers see; otherwise it returns what is to be put into the store.
func (j *Blobs) SaveTopics(part, round int, key string, n int, each eachTopics) ([]Write, error) {
	write := func(w io.Writer) error { return blob.WriteTopics(w, j.PartID(part, round), n, each, j.Topics) }
	if protocol.IsFile(key) {
		return nil, j.putFile(key, write)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, err
	}
	return []Write{{key, round, b.Bytes()}}, nil
}

type eachTopics = func(f func(z []uint32) error) error

// putFile writes a file of topics.
func (j *Blobs) putFile(key string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(j.StateDir(), 0o777); err != nil {
		return fmt.Errorf("cannot write the topics of job %s: %w: give workers the right to write its directory",
			j.Name, err)
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
