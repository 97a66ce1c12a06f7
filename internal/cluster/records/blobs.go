package records

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// BlobID says what the blob of a slice holds.
func (j *Blobs) BlobID(kind blob.Kind, round, part int) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{
			Kind: kind, Job: j.ID, Round: uint32(round), Slice: uint32(slice), Part: uint32(part), Topics: uint32(j.Topics),
		}
	}
}

// TotalsID names n_k of a part: it has the number of a slice that there is not.
func (j *Blobs) TotalsID(part, round int) blob.ID {
	return j.BlobID(blob.Totals, round, part)(j.Slices)
}

// TotalsWrite is n_k of a part's own tokens as others get it.
func (j *Blobs) TotalsWrite(part, round int, totals []uint64) Write {
	return Write{j.Key.Part(part, "head"), j.Key.Totals(part, round), round, blob.EncodeTotals(j.TotalsID(part, round), totals)}
}

// TotalsAt adds up n_k of all parts after a round.
func (j *Blobs) TotalsAt(ctx context.Context, round int) ([]uint64, error) {
	sum := make([]uint64, j.Topics)
	for part := range j.Parts {
		key := j.Key.Totals(part, round)
		b, err := j.Store.Get(ctx, key)
		if err == nil {
			err = protocol.FirstMissing([]string{key}, b)
		}
		if err != nil {
			return nil, err
		}
		if err := blob.AddTotals(sum, b[0], j.TotalsID(part, round)); err != nil {
			return nil, protocol.Damaged(key, err)
		}
	}
	return sum, nil
}

// StatisticsAt adds up the statistics of all slices after a round.
func (j *Blobs) StatisticsAt(ctx context.Context, round int) (totals, counted []uint64, err error) {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.Key.Statistics(i, round)
	}
	blobs, err := j.Store.Get(ctx, names...)
	if err == nil {
		err = protocol.FirstMissing(names, blobs)
	}
	totals = make([]uint64, j.Topics)
	for i, b := range blobs {
		if err != nil {
			return nil, nil, err
		}
		if counted, err = blob.AddStatistics(totals, counted, b, j.BlobID(blob.Statistics, round, 0)(i)); err != nil {
			err = protocol.Damaged(names[i], err)
		}
	}
	return totals, counted, err
}

// GetRows fetches the rows of a slice, which must be there.
func (j *Blobs) GetRows(ctx context.Context, slice, round int) ([]byte, error) {
	key := j.Key.Rows(slice, round)
	values, err := j.Store.Get(ctx, key)
	if err == nil && values[0] == nil {
		err = protocol.Missing(key)
	}
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// LoadRows reads the rows of a barrier into m.
func (j *Blobs) LoadRows(ctx context.Context, m *rows.Model, round int) error {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.Key.Rows(i, round)
	}
	blobs, err := j.Store.Get(ctx, names...)
	if err == nil {
		err = protocol.FirstMissing(names, blobs)
	}
	if err != nil {
		return err
	}
	return m.Load(round, blobs, j.BlobID(blob.Counts, round, 0), func(slice int, err error) error { return protocol.Damaged(names[slice], err) })
}

// GetChanges fetches what a part changed in a round, which must be there.
func (j *Blobs) GetChanges(ctx context.Context, round, part int) ([][]byte, error) {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.Key.Changes(i, round, part)
	}
	blobs, err := j.Store.Get(ctx, names...)
	if err != nil {
		return nil, err
	}
	return blobs, protocol.FirstMissing(names, blobs)
}
