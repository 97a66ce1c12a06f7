// Package kinds tells the files and directories of topoi apart: corpora, models, checkpoints and work directories.
package kinds

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/statefile"
)

// Kind is the kind of file or directory at a path.
type Kind int

const (
	Unknown Kind = iota
	Corpus
	Model
	Checkpoint
	WorkDir // of a run that keeps its tokens in files
)

// Of returns what is at a path: by the content, or, if that may be damaged, by the name: something.topoi,
// something.checkpoint, something.parts.
func Of(path string) Kind {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Unknown
	case info.IsDir():
		return ofDirectory(path)
	case corpus.IsCorpus(path) || filepath.Ext(path) == ".topoi":
		return Corpus
	case statefile.Peek(path, nil) == nil || filepath.Ext(strings.TrimSuffix(path, ".before")) == ".checkpoint":
		return Checkpoint
	}
	return Unknown
}

func ofDirectory(dir string) Kind {
	for _, name := range []string{modelfile.Manifest, modelfile.Alpha, modelfile.Rows} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return Model
		}
	}
	if filepath.Ext(dir) == ".parts" || ondisk.Has(dir) {
		return WorkDir
	}
	return Unknown
}
