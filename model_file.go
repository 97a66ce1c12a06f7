package topoi

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/modelfile"
)

// What [Open] and [Model.Verify] may find wrong with a model. Errors wrap one
// of these and name the directory.
var (
	// ErrNotModel: the path leads to something else.
	ErrNotModel = modelfile.ErrNotModel

	// ErrModelVersion: the model was written by a program that uses another
	// major version of the format.
	ErrModelVersion = modelfile.ErrVersion

	// ErrModelDamaged: files are missing, cut short, altered or contradict each
	// other, most often after an interrupted copy.
	ErrModelDamaged = modelfile.ErrDamaged
)

// verifyOnOpenBytes is the size up to which models are verified whenever they are opened.
const verifyOnOpenBytes = 64 << 20

// manifestFile is manifest.json.
type manifestFile struct {
	Format string `json:"format"`
	Manifest
	Arrays    []modelfile.Array `json:"arrays"`
	Documents documentsInfo     `json:"documents"`
	Checksum  string            `json:"checksum"` // XXH3-128 of the file with these digits all '0'
}

// version is the version of the format that the model needs.
func (m *Manifest) version() int { return modelfile.Version(m.Options.sampled(), m.PseudoTokens > 0) }

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
	var f manifestFile
	if err := modelfile.ReadManifest(dir, &f); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s: %w; copy the model again", dir, ErrModelDamaged, modelfile.Manifest, err)
	}
	return &f, nil
}
