package topoi

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/topics"
)

// Manifest describes a model and how it was made. It holds nothing that depends on the machine, the time or
// the number of threads.
type Manifest struct {
	FormatVersion int     `json:"format_version"`
	Topics        int     `json:"topics"` // K
	Words         int     `json:"words"`  // V
	Docs          int     `json:"docs"`   // training documents
	Tokens        int     `json:"tokens"` // training tokens
	Beta          float64 `json:"beta"`   // β, summed over all draws

	// Draws is the number of states whose counts the model adds up, or 0 for one. The counts of all but the last are
	// the model's pseudo-counts: see [Model.LastDraw].
	Draws int `json:"draws,omitempty"`

	// Options are the options that determine the model's bytes, with defaults filled in; all others are
	// zero. Sampler is never "auto". Device is "cuda" if the training on a GPU was not repeatable, so that
	// no second run gives the same model; else it is empty.
	Options Options `json:"options"`

	Iterations int        `json:"iterations"` // sweeps done
	Stopped    StopReason `json:"stopped"`    // why training ended
	History    []Score    `json:"history"`    // every evaluation, oldest first

	Corpus  string `json:"corpus_fingerprint"` // of the whole corpus, held-out documents included
	Started string `json:"started,omitempty"`  // hash of Options.Start, if there was one

	PseudoTokens uint64     `json:"pseudo_tokens,omitempty"` // Σ m_wk of Options.Pseudo
	Lineage      []Ancestor `json:"lineage,omitempty"`       // what the model was made from, oldest first

	Covariates *Covariates `json:"covariates,omitempty"` // only in models trained with the prior "covariates"

	// ShapedBy is the formula of the columns that had a say in the topics of the model that this one was edited from.
	ShapedBy string `json:"shaped_by,omitempty"`

	Program  string `json:"program,omitempty"` // version of the program that trained it; "" in old models
	Pipeline []byte `json:"-"`                 // the corpus's text options as JSON
}

// Covariates is the prior of a model that was trained with the prior "covariates". A document whose columns give
// the numbers x has
//
//	α_k = exp(λ_k0 + Σ_f λ_kf (x_f − mean_f) / scale_f)
//
// A document that lacks a value has α_k = exp(λ_k0), which is Model.Alpha.
type Covariates struct {
	Coding effects.Coding `json:"coding"` // how columns become numbers
	Names  []string       `json:"names"`  // F names of the numbers; the first is the intercept
	Mean   []float64      `json:"mean"`   // F
	Scale  []float64      `json:"scale"`  // F
	Lambda [][]float64    `json:"lambda"` // K × F
}

// Counted returns the sum of all counts: tokens of all draws, or tokens and pseudo-counts.
func (m Manifest) Counted() uint64 { return uint64(m.Tokens) + m.PseudoTokens }

// PerDraw returns the mean of a sum over all draws, rounded.
func (m Manifest) PerDraw(sum uint64) uint64 {
	draws := uint64(max(1, m.Draws))
	return (sum + draws/2) / draws
}

// MeanCounts replaces the counts of words, which are sums over all draws, by their means, for tables. It returns words.
func (m Manifest) MeanCounts(words []WordWeight) []WordWeight {
	for i := range words {
		words[i].Count = uint32(m.PerDraw(uint64(words[i].Count)))
	}
	return words
}

// BetaPerDraw returns the mean of β over all draws.
func (m Manifest) BetaPerDraw() float64 { return m.Beta / float64(max(1, m.Draws)) }

// Errors of [Open] and [Model.Verify]. Returned errors wrap one of these and name the directory.
var (
	// ErrNotModel means that there is something else at the path.
	ErrNotModel = modelfile.ErrNotModel

	// ErrModelVersion means that the model was written by a program that uses another major version of the format.
	ErrModelVersion = modelfile.ErrVersion

	// ErrModelDamaged means that files are missing, cut short or altered, or contradict each other. The
	// most frequent cause is an interrupted copy.
	ErrModelDamaged = modelfile.ErrDamaged
)

// manifestFile is manifest.json.
type manifestFile struct {
	Format string `json:"format"`
	Manifest
	Arrays    []modelfile.Array `json:"arrays"`
	Documents documentsInfo     `json:"documents"`
	Checksum  string            `json:"checksum"` // XXH3-128 of the file with these digits all '0'
}

// version returns the version of the format that the model needs.
func (m *Manifest) version() int { return modelfile.Version(m.Options.sampled(), m.PseudoTokens > 0) }

// documentsInfo describes corpus.topoi.
type documentsInfo struct {
	Name        string `json:"file"`        // always modelfile.Documents
	Fingerprint string `json:"fingerprint"` // fingerprint of that corpus file
}

// arraySpecs returns names and types of the arrays.
func (m *Manifest) arraySpecs() []modelfile.Array {
	return modelfile.Specs(m.Topics, m.PseudoTokens > 0)
}

// check checks that the manifest agrees with itself.
func (f *manifestFile) check() error {
	if f.Topics < 1 || f.Topics > topics.Most || f.Words < 0 || f.Docs < 0 || f.Tokens < 0 {
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
