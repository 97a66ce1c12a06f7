package topoi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/modelfile"
)

// What [Open] and [Model.Verify] may find wrong with a model. Errors wrap one
// of these and name the directory.
var (
	// ErrNotModel: the path leads to something else.
	ErrNotModel = errors.New("not a topoi model")

	// ErrModelVersion: the model was written by a program that uses another
	// major version of the format.
	ErrModelVersion = errors.New("unknown version of the model")

	// ErrModelDamaged: files are missing, cut short, altered or contradict each
	// other, most often after an interrupted copy.
	ErrModelDamaged = errors.New("damaged model")
)

// The model directory, version 1. docs/formats.md has the grammar.
const (
	modelFormat       = "topoi model"
	modelVersion      = 1 // changes when an old reader could misread the directory
	modelSampled      = 2 // the version of models whose held-out documents are a sample
	modelGuided       = 3 // the version of models with pseudo-counts
	manifestName      = "manifest.json"
	runName           = "run.json"
	maxManifestSize   = 1 << 28
	verifyOnOpenBytes = 64 << 20 // models up to this size are verified whenever they are opened
)

// manifestFile is manifest.json.
type manifestFile struct {
	Format string `json:"format"`
	Manifest
	Arrays    []modelfile.Array `json:"arrays"`
	Documents documentsInfo     `json:"documents"`
	Checksum  string            `json:"checksum"` // XXH3-128 of the file with these digits all '0'
}

// version is the version of the format that the model needs.
func (m *Manifest) version() int {
	switch {
	case m.PseudoTokens > 0:
		return modelGuided
	case m.Options.sampled():
		return modelSampled
	}
	return modelVersion
}

// documentsInfo describes corpus.topoi.
type documentsInfo struct {
	Name        string `json:"file"`        // always modelfile.Documents
	Fingerprint string `json:"fingerprint"` // of that corpus file
}

// arraySpecs returns name and type of the arrays.
func (m *Manifest) arraySpecs() []modelfile.Array {
	return modelfile.Specs(m.Topics, m.PseudoTokens > 0)
}

// encode returns the bytes of manifest.json.
func (f *manifestFile) encode() ([]byte, error) { return modelfile.Seal(f, &f.Checksum) }

// decodeManifest reads manifest.json and checks all that can be checked
// without the arrays. Its errors lack the directory's name.
func decodeManifest(b []byte) (*manifestFile, error) {
	var f manifestFile
	if err := json.Unmarshal(b, &f); err != nil {
		if bytes.Contains(b, []byte(`"`+modelFormat+`"`)) {
			return nil, fmt.Errorf("%w: %s is not valid JSON (%w); copy the model again", ErrModelDamaged, manifestName, err)
		}
		return nil, fmt.Errorf("%w: its %s does not describe a model", ErrNotModel, manifestName)
	}
	switch {
	case f.Format != modelFormat:
		return nil, fmt.Errorf("%w: its %s does not describe a model", ErrNotModel, manifestName)
	case f.FormatVersion < modelVersion || f.FormatVersion > modelGuided:
		return nil, fmt.Errorf("%w: it has version %d, and this program reads versions %d to %d; use a newer program or train again",
			ErrModelVersion, f.FormatVersion, modelVersion, modelGuided)
	}
	if !modelfile.IsSealed(b, f.Checksum) {
		return nil, fmt.Errorf("%w: the checksum of %s does not match; copy the model again", ErrModelDamaged, manifestName)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w; copy the model again", ErrModelDamaged, manifestName, err)
	}
	return &f, nil
}

// check checks that the manifest agrees with itself.
func (f *manifestFile) check() error {
	if f.Topics < 1 || f.Topics > maxTopics || f.Words < 0 || f.Docs < 0 || f.Tokens < 0 {
		return errors.New("its sizes are out of range")
	}
	if !(f.Beta > 0) || math.IsInf(f.Beta, 0) {
		return fmt.Errorf("β is %v", f.Beta)
	}
	return modelfile.Check(f.Arrays, f.arraySpecs(), f.Topics, f.Words, f.Tokens)
}

// readManifest reads and checks the manifest of the model in dir.
func readManifest(dir string) (*manifestFile, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no model at %s: %w", dir, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("cannot open the model: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s: %w: this is a file, and a model is a directory", dir, ErrNotModel)
	}
	path := filepath.Join(dir, manifestName)
	if info, err := os.Stat(path); err == nil && info.Size() > maxManifestSize {
		return nil, fmt.Errorf("%s: %w: its %s has %d bytes", dir, ErrNotModel, manifestName, info.Size())
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: the directory has no %s", dir, ErrNotModel, manifestName)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the model: %w", err)
	}
	f, err := decodeManifest(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}
