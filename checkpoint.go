package topoi

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/ondisk"
)

// checkpoint is everything a run needs to go on: together with the corpus it
// determines all later bytes.
type checkpoint struct {
	Options   RunOptions    // must equal those of the resuming run
	Corpus    string        // fingerprint of the whole corpus
	Iteration int           // sweeps done
	Alpha     []float64     // K: α after Iteration
	Beta      float64       // β after Iteration
	History   []Score       // evaluations so far
	Topics    assignments   // N: z after Iteration, corpus order; 32 bits wide when read
	Parts     *ondisk.State // where z is instead, when it is kept in files; Topics is empty then
	Extra     []byte        // what the sampler's state holds beyond z; usually empty
}

// check checks that the state is one of a run with so many topics and tokens.
func (c *checkpoint) check(topics, tokens int) error {
	switch {
	case len(c.Alpha) != topics:
		return fmt.Errorf("it has α of %d topics, not %d", len(c.Alpha), topics)
	case c.Parts == nil && c.Topics.len() != tokens:
		return fmt.Errorf("it has %d tokens, not %d", c.Topics.len(), tokens)
	case c.Iteration < 0:
		return fmt.Errorf("it is of iteration %d", c.Iteration)
	}
	for _, prior := range append([]float64{c.Beta}, c.Alpha...) {
		if !(prior > 0) || math.IsInf(prior, 0) {
			return errors.New("a prior is not above 0")
		}
	}
	return nil
}
