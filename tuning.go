package topoi

import (
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/sampling"
)

// Tuning holds choices inside a sampler that change its result: how many mini-batches a
// sweep of batch has, how many proposals a token of warp gets. Package sampling describes
// its fields, which are plain numbers and texts; the zero value of a field means the
// sampler's own default.
type Tuning = sampling.Tuning

// checkFresh checks what has a grammar of its own.
func checkFresh(t Tuning) error {
	_, err := batch.ParseFreshness(t.Fresh)
	return err
}
