package records

import (
	"cmp"
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/counts"
)

// putPseudo stores the pseudo-counts of the job, if it has any, with a run of words for each slice.
func (j *Job) putPseudo(ctx context.Context) error {
	if j.Pseudo == nil {
		return nil
	}
	var e blob.Encoder
	for i := range j.Slices {
		e.Begin(nil, j.BlobID(blob.Counts, 0, j.Parts)(i))
		for w := j.Words * i / j.Slices; w < j.Words*(i+1)/j.Slices; w++ {
			e.Counts(uint32(w), j.Pseudo.Row(w))
		}
		if err := j.Put(ctx, []Write{{j.Key.Pseudo(i), math.MaxInt32, e.Finish()}}); err != nil {
			return err
		}
	}
	return nil
}

// FetchPseudo fetches the pseudo-counts of the job, if the store has any.
func (j *Job) FetchPseudo(ctx context.Context) error {
	rows := make([][]counts.Entry, j.Words)
	for i := range j.Slices {
		b, err := j.Store.Get(ctx, j.Key.Pseudo(i))
		if err != nil || b[0] == nil {
			return err // the caller compares the hash of all of them, and reports that they are gone
		}
		d, err := blob.Open(b[0], j.BlobID(blob.Counts, 0, j.Parts)(i))
		for err == nil && d.Next() && int(d.Word()) < len(rows) {
			rows[d.Word()] = d.Counts(nil)
		}
		if err = cmp.Or(err, d.Err()); err != nil {
			return protocol.Damaged(j.Key.Pseudo(i), err)
		}
	}
	j.Pseudo = counts.NewPseudo(j.Words, j.Topics, func(w int) []counts.Entry { return rows[w] })
	return nil
}
