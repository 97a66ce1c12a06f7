package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/nearest"
)

// Tuning holds the choices inside an algorithm that change its result. The zero
// value of a field means the algorithm's own default; samplers ignore fields
// that do not concern them. It is stored in model manifests as JSON.
type Tuning struct {
	// MiniBatches is the number of mini-batches into which batch and panel cut a
	// sweep; after each, counts that are not fresh are brought up to date. 1 to 65536.
	// Default: 8 in the first ten sweeps, 1 after; 10 for panel.
	MiniBatches int `json:"mini_batches,omitempty"`

	// OwnCount says whether batch leaves a token's own count "in" when drawing its
	// topic, or takes it "out". In runs as plain Go: it is for study. Default "out".
	OwnCount string `json:"own_count,omitempty"`

	// Fresh says which counts batch changes at once and which at the end of a
	// mini-batch, such as "doc=immediate,word=delayed,topic=delayed", which is the
	// default. Other choices run a slower sampler made for studying them.
	Fresh string `json:"fresh,omitempty"`

	// MHSteps is the number of Metropolis-Hastings proposals per token and sweep.
	// For warp it is M, the proposals of each kind per token and sweep.
	// 1 to 256. Default 2 for alias and warp, 4 for light.
	MHSteps int `json:"mh_steps,omitempty"`

	// Proposal selects light's proposals: "doc", "word", or "cycle" for both in
	// turn. Default "cycle".
	Proposal string `json:"proposal,omitempty"`

	// Rounds is the number of blocks of documents into which light cuts a sweep;
	// after each, the word and topic counts it works with are brought up to date.
	// 1 to 65536. Default 1.
	Rounds int `json:"rounds,omitempty"`

	// Staleness is the number of rounds after which the changes that one part of
	// the corpus makes reach the others (a round is an iteration of warp, a
	// mini-batch of batch, one of Rounds of light). Only batch, warp and light
	// work on parts. 0 to 16. Default 0: at once.
	Staleness int `json:"staleness,omitempty"`

	// Parts is the number of parts into which the corpus is cut when there is
	// Staleness; without, it changes nothing. 1 to 65536. Default 8, or fewer
	// for a corpus of fewer blocks.
	Parts int `json:"parts,omitempty"`

	// AliasEvery is the number of draws after which alias builds a table anew:
	// a word's table after so many tokens of the word, the one that all words
	// share after so many tokens. 1 is exact and slow. Default: as many as the
	// table has topics.
	AliasEvery int `json:"alias_every,omitempty"`

	// Partitions is P of grid and cvb: documents and words are cut into P groups
	// each, and P tiles are worked on at once. More than the number of threads
	// balances better and keeps topic counts fresher; every document is counted
	// P times a sweep. 1 to 4096. Default 16.
	Partitions int `json:"partitions,omitempty"`

	// CVB selects cvb's update: "second" with means and variances, or "zero"
	// with means alone. Default "second".
	CVB string `json:"cvb,omitempty"`

	// Step is μ of cvb, the size of the step from old to new natural parameters
	// at the end of an epoch. Above 0, at most 1. Default 1.
	Step float64 `json:"step,omitempty"`

	// Uncollapsed makes mean draw θ and φ from their posteriors instead of
	// taking the posteriors' means. Default false.
	Uncollapsed bool `json:"uncollapsed,omitempty"`

	// Draw names the method of package discrete by which mean draws topics:
	// "linear", "binary", "alias", "fenwick", "butterfly" or "butterfly-plain", or
	// "transposed", which is binary read in another order by a GPU. All but "alias"
	// give the same topics up to rounding. Default "linear".
	Draw string `json:"draw,omitempty"`

	// Precision is that of mean's weights and their sums: "float32" or "float64".
	// Default "float64".
	Precision string `json:"precision,omitempty"`
}

// Validate returns all faults at once, joined, or nil.
func (t Tuning) Validate() error {
	return errors.Join(
		between("mini-batches", t.MiniBatches, 1, 65536),
		oneOf("own count", t.OwnCount, "in", "out"),
		t.checkFresh(),
		between("mh-steps", t.MHSteps, 1, 256),
		oneOf("proposal", t.Proposal, "doc", "word", "cycle"),
		between("rounds", t.Rounds, 1, 1<<16),
		between("staleness", t.Staleness, 0, 16),
		between("parts", t.Parts, 1, 1<<16),
		between("alias-every", t.AliasEvery, 1, math.MaxInt32),
		between("partitions", t.Partitions, 1, 4096),
		oneOf("cvb", t.CVB, "second", "zero"),
		fraction("step", t.Step),
		oneOf("draw", t.Draw, DrawMethods()...),
		oneOf("precision", t.Precision, "float32", "float64"),
	)
}

// DrawMethods lists what Tuning.Draw may be.
func DrawMethods() []string { return append(discrete.Names(), drawTransposed) }

// between checks that a whole number that has been set lies in its range.
func between(name string, value, lo, hi int) error {
	if value != 0 && (value < lo || value > hi) {
		return fmt.Errorf("%s must be between %d and %d, not %d", name, lo, hi, value)
	}
	return nil
}

// oneOf checks that a name that has been set is known.
func oneOf(name, value string, valid ...string) error {
	if value != "" && !slices.Contains(valid, value) {
		return fmt.Errorf("unknown %s %q%s", name, value, nearest.Hint(value, valid))
	}
	return nil
}

// fraction checks that a number that has been set is above 0 and at most 1.
func fraction(name string, value float64) error {
	if value != 0 && !(value > 0 && value <= 1) {
		return fmt.Errorf("%s must be above 0 and at most 1, not %v", name, value)
	}
	return nil
}

// or returns value, or the default when value is not set.
func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

func (t Tuning) checkFresh() error {
	_, err := ParseFreshness(t.Fresh)
	return err
}

// miniBatches returns the number of mini-batches of one of batch's sweeps.
func (t Tuning) miniBatches(iteration int) int {
	switch {
	case t.MiniBatches > 0:
		return t.MiniBatches
	case iteration <= 10:
		return 8
	}
	return 1
}
