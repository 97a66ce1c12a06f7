package topoi

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/topics"
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
	documentsName     = "corpus.topoi"
	maxManifestSize   = 1 << 28
	verifyOnOpenBytes = 64 << 20 // models up to this size are verified whenever they are opened
)

// Names of the array files.
const (
	arrayAlpha      = "alpha.f64"        // float64[K]: α_k
	arrayTotals     = "topic_totals.u64" // uint64[K]: n_k
	arrayRowEnds    = "row_ends.u64"     // uint64[V]: end of row w in arrayRows
	arrayRows       = "rows.u32"         // pairs (topic, n_wk) of uint32, by word, then by topic
	arrayWordEnds   = "word_ends.u64"    // uint64[V]: end of word w in arrayWords
	arrayWords      = "words.utf8"       // the words, one after the other
	arrayTopics     = "topics.u16"       // uint16[N]: z, when K ≤ 65536
	arrayTopicsWide = "topics.u32"       // uint32[N]: z, when K > 65536
	arrayPseudoEnds = "pseudo_ends.u64"  // uint64[V]: end of row w in arrayPseudo; of models with pseudo-counts
	arrayPseudo     = "pseudo.u32"       // pairs (topic, m_wk) of uint32, by word, then by topic
	arrayPipeline   = "pipeline.json"    // the text pipeline's options; empty when the input came tokenised
)

// manifestFile is manifest.json.
type manifestFile struct {
	Format string `json:"format"`
	Manifest
	Arrays    []arrayInfo   `json:"arrays"`
	Documents documentsInfo `json:"documents"`
	Checksum  string        `json:"checksum"` // XXH3-128 of the file with these digits all '0'
}

// arrayInfo describes one array file.
type arrayInfo struct {
	Name     string `json:"file"`
	Type     string `json:"type"`     // "f64", "u64", "u32", "u16" or "bytes"
	Length   uint64 `json:"length"`   // in elements
	Checksum string `json:"checksum"` // XXH3-128 of the file
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

// elementBytes gives the size of each arrayInfo.Type.
var elementBytes = map[string]uint64{"f64": 8, "u64": 8, "u32": 4, "u16": 2, "bytes": 1}

// documentsInfo describes corpus.topoi.
type documentsInfo struct {
	Name        string `json:"file"`        // always documentsName
	Fingerprint string `json:"fingerprint"` // of that corpus file
}

// arraySpecs returns name and type of the arrays of a model, in the order in which manifest and
// fingerprint take them.
func (m *Manifest) arraySpecs() []arrayInfo {
	specs := []arrayInfo{
		{Name: arrayAlpha, Type: "f64"},
		{Name: arrayTotals, Type: "u64"},
		{Name: arrayRowEnds, Type: "u64"},
		{Name: arrayRows, Type: "u32"},
		{Name: arrayWordEnds, Type: "u64"},
		{Name: arrayWords, Type: "bytes"},
		topicsArray(m.Topics),
		{Name: arrayPipeline, Type: "bytes"},
	}
	if m.PseudoTokens > 0 {
		specs = append(specs, arrayInfo{Name: arrayPseudoEnds, Type: "u64"}, arrayInfo{Name: arrayPseudo, Type: "u32"})
	}
	return specs
}

// topicsArray returns name and type of the array of z.
func topicsArray(k int) arrayInfo {
	if k > topics.MostNarrow {
		return arrayInfo{Name: arrayTopicsWide, Type: "u32"}
	}
	return arrayInfo{Name: arrayTopics, Type: "u16"}
}

var noChecksum = hex.EncodeToString(make([]byte, 16))

func checksumOf(b []byte) string {
	sum := xxh3.Hash128(b).Bytes()
	return hex.EncodeToString(sum[:])
}

// encode returns the bytes of manifest.json.
func (f *manifestFile) encode() ([]byte, error) {
	f.Checksum = noChecksum
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	i := bytes.LastIndex(b, []byte(noChecksum))
	copy(b[i:], checksumOf(b))
	return b, nil
}

// decodeManifest reads manifest.json and checks all that can be checked
// without the arrays. Its errors lack the directory's name.
func decodeManifest(b []byte) (*manifestFile, error) {
	var f manifestFile
	if err := json.Unmarshal(b, &f); err != nil {
		if bytes.Contains(b, []byte(`"`+modelFormat+`"`)) {
			return nil, fmt.Errorf("%w: %s is not valid JSON (%w); copy the model again", ErrModelDamaged, manifestName, err)
		}
		return nil, fmt.Errorf("%w: its %s is something else", ErrNotModel, manifestName)
	}
	switch {
	case f.Format != modelFormat:
		return nil, fmt.Errorf("%w: its %s is something else", ErrNotModel, manifestName)
	case f.FormatVersion < modelVersion || f.FormatVersion > modelGuided:
		return nil, fmt.Errorf("%w: it has version %d and this program reads versions %d to %d; use a newer program or train again",
			ErrModelVersion, f.FormatVersion, modelVersion, modelGuided)
	}
	zeroed := bytes.Clone(b)
	if i := bytes.LastIndex(zeroed, []byte(f.Checksum)); i >= 0 && len(f.Checksum) == len(noChecksum) {
		copy(zeroed[i:], noChecksum)
	}
	if checksumOf(zeroed) != f.Checksum {
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
	specs := f.arraySpecs()
	if len(f.Arrays) < len(specs) {
		return fmt.Errorf("it lists %d arrays, not %d", len(f.Arrays), len(specs))
	}
	k, v := uint64(f.Topics), uint64(f.Words)
	length := map[string]uint64{
		arrayAlpha: k, arrayTotals: k, arrayRowEnds: v, arrayWordEnds: v, arrayPseudoEnds: v,
		arrayTopics: uint64(f.Tokens), arrayTopicsWide: uint64(f.Tokens),
	}
	for i, want := range specs {
		got := f.Arrays[i]
		if got.Name != want.Name || got.Type != want.Type {
			return fmt.Errorf("array %d is %s of %s, not %s of %s", i, got.Name, got.Type, want.Name, want.Type)
		}
		if n, fixed := length[want.Name]; fixed && n != got.Length {
			return fmt.Errorf("array %s has %d elements, not %d", got.Name, got.Length, n)
		}
	}
	return nil
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
		return nil, fmt.Errorf("%s: %w: a model is a directory, and this is a file", dir, ErrNotModel)
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
