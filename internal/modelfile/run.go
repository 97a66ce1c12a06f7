package modelfile

import (
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/remote"
)

// Facts are what run.json tells about the run that made a model. Nothing of it determines the model.
type Facts struct {
	Model   string    `json:"model"` // where it was saved
	Program string    `json:"program"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"` // of training
	System  string    `json:"system"`  // such as linux/amd64
	Cores   int       `json:"cores"`
	Memory  uint64    `json:"memory_bytes,omitempty"`
	Inputs  []Input   `json:"inputs"`
}

// Input is a file, a directory or an object that a model was made from.
type Input struct {
	Path  string `json:"path"` // as it was given
	Bytes int64  `json:"bytes,omitempty"`

	// Checksum is xxh3-128: and the hash of the content, of a directory that of all files in the order of their paths;
	// corpus: and the fingerprint of a corpus file; etag: and what a store says of an object; or empty.
	Checksum string `json:"checksum,omitempty"`
}

// Observe begins to collect the facts about a run with these inputs. The function that it returns ends the run.
func Observe(model, program string, inputs []string, o source.Options) (end func() Facts) {
	f := Facts{
		Model: model, Program: program, Began: time.Now().UTC().Truncate(time.Second), System: runtime.GOOS + "/" + runtime.GOARCH,
		Cores: runtime.NumCPU(), Memory: machine.Memory(), Inputs: []Input{},
	}
	done := make(chan struct{})
	go func() { // files are hashed while the model is trained
		defer close(done)
		files, _ := source.Expand(inputs, o) // reading them has told of faults
		for _, file := range files {
			f.Inputs = append(f.Inputs, observe(file.Path))
		}
	}()
	began := time.Now()
	return func() Facts {
		f.Seconds = time.Since(began).Seconds()
		<-done
		return f
	}
}

// observe returns the size and checksum of an input, as far as they can be had.
func observe(path string) Input {
	in := Input{Path: path}
	switch {
	case path == "-":
	case remote.Is(path):
		if info, err := remote.Stat(path); err == nil {
			in.Bytes, in.Checksum = info.Size, "etag:"+info.ETag
		}
	case corpus.IsCorpus(path):
		if c, err := corpus.Open(path); err == nil {
			in.Checksum = "corpus:" + c.Fingerprint()
			_ = c.Close() // it was only read
		}
		if info, err := os.Stat(path); err == nil {
			in.Bytes = info.Size()
		}
	default:
		h := xxh3.New()
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			n, err := io.Copy(h, f)
			in.Bytes += n
			return err
		})
		if sum := h.Sum128().Bytes(); err == nil {
			in.Checksum = "xxh3-128:" + hex.EncodeToString(sum[:])
		}
	}
	return in
}
