package records

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Totals adds up n_k of all parts after a round, and of the pseudo-counts.
type Totals struct {
	Names []string // keys, by part
	Sum   []uint64 // K

	job   *Blobs
	round int
}

// NewTotals returns the sum of no parts.
func (j *Blobs) NewTotals(round int) *Totals {
	names := Each(j.Parts, func(i int) string { return j.Key.Totals(i, round) })
	t := &Totals{names, make([]uint64, j.Topics), j, round}
	counts.AddTotals(t.Sum, j.Pseudo)
	return t
}

// Add adds the value of a key.
func (t *Totals) Add(part int, b []byte) error {
	return protocol.Damaged(t.Names[part], blob.AddTotals(t.Sum, b, t.job.TotalsID(part, t.round)))
}

// TotalsWrite returns n_k of a part's own tokens as it is written to the store.
func (j *Blobs) TotalsWrite(part, round int, totals []uint64) Write {
	return Write{j.Key.Totals(part, round), round, blob.EncodeTotals(j.TotalsID(part, round), totals)}
}

// TotalsAt returns the sum of n_k of all parts after a round, and of the pseudo-counts.
func (j *Blobs) TotalsAt(ctx context.Context, round int) ([]uint64, error) {
	sum := j.NewTotals(round)
	err := j.eachMust(ctx, sum.Names, sum.Add)
	return sum.Sum, err
}

// eachMust fetches values, a few at once, and calls f with each. If one does not exist, it returns Damage about its
// key.
func (j *Blobs) eachMust(ctx context.Context, names []string, f func(i int, b []byte) error) error {
	for i := 0; i < len(names); {
		values, err := j.Must(ctx, names[i:min(i+j.AtOnce(), len(names))]...)
		if err != nil {
			return err
		}
		for _, b := range values {
			if err := f(i, b); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// AtOnce returns how many blobs with n_k of a part may be in memory together.
func (j *Blobs) AtOnce() int { return max(1, (1<<20)/j.Topics) }
