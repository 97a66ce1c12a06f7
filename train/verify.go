package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/kinds"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// Verify reads everything at path and compares it with its checksums. what describes in words what is there;
// the error says what is wrong. A checkpoint of a run that keeps its tokens in files is verified together
// with its work directory, if that is CHECKPOINT.parts. A work directory is verified by its checkpoint.
func Verify(path string) (what string, err error) {
	defer guard.Files(&err)()
	switch kinds.Of(path) {
	case kinds.Corpus:
		return verifyCorpus(path)
	case kinds.Model:
		return verifyModel(path)
	case kinds.Checkpoint:
		return verifyCheckpoint(path)
	case kinds.WorkDir:
		return verifyWorkDir(path)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	return "", fmt.Errorf("%s: it is not a corpus file, a model, a checkpoint or a work directory", path)
}

func verifyCorpus(path string) (string, error) {
	c, err := corpus.Open(path) // compares all checksums
	if err != nil {
		return "", err
	}
	defer c.Close()
	return fmt.Sprintf("a corpus of %s, fingerprint %s", human.Of(c.NumDocs(), "document"), c.Fingerprint()), nil
}

func verifyModel(dir string) (string, error) {
	m, err := topoi.Open(dir)
	if err != nil {
		return "", err
	}
	defer m.Close()
	if err = m.Verify(); err == nil {
		_, err = m.Labels()
	}
	if err != nil {
		return "", err
	}
	what := fmt.Sprintf("a model of %s, fingerprint %s", human.Of(m.NumTopics(), "topic"), m.Fingerprint())
	if _, err := os.Stat(filepath.Join(dir, modelfile.Documents)); errors.Is(err, fs.ErrNotExist) {
		what += ", without its documents"
	}
	return what, nil
}

func verifyCheckpoint(path string) (string, error) {
	state, err := readCheckpoint(path)
	if err == nil && state.Parts == nil {
		err = state.check(state.Options.Topics, state.Topics.Len())
	}
	if err != nil {
		return "", err
	}
	what := fmt.Sprintf("a checkpoint of iteration %s, %s", human.Count(state.Iteration),
		human.Of(len(state.Alpha), "topic"))
	if state.Parts == nil {
		return what, nil
	}
	dir := options{topoi.Options{Checkpoint: strings.TrimSuffix(path, ".before")}}.workDir()
	if _, err := os.Stat(dir); err != nil {
		return what + ", whose work directory is in another place", nil
	}
	if err := state.verifyFiles(dir); err != nil {
		return "", err
	}
	return what + ", with its files in " + dir, nil
}

// verifyFiles checks the files that a checkpoint names.
func (c *checkpoint) verifyFiles(dir string) error {
	info, ok := registry.Find(c.Options.Sampler)
	if !ok {
		return fmt.Errorf("%w: unknown sampler %q", ErrCheckpoint, c.Options.Sampler)
	}
	return ondisk.Verify(dir, info, c.Parts, len(c.Alpha))
}

func verifyWorkDir(dir string) (string, error) {
	checkpoint, ok := strings.CutSuffix(filepath.Clean(dir), ".parts")
	if _, err := os.Stat(checkpoint); !ok || err != nil {
		return "", fmt.Errorf("%s: a work directory is verified together with its checkpoint: put the directory CHECKPOINT.parts beside the file CHECKPOINT", dir)
	}
	state, err := readCheckpoint(checkpoint)
	if err == nil && state.Parts == nil {
		err = fmt.Errorf("%s: the checkpoint beside it belongs to a run that kept everything in memory", dir)
	}
	if err == nil {
		err = state.verifyFiles(dir)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the work directory of a run after iteration %s", human.Count(state.Iteration)), nil
}
