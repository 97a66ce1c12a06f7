package cluster

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// blobID says what the blob of a slice holds.
func (j *Job) blobID(kind blob.Kind, round, part int) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{
			Kind: kind, Job: j.ID, Round: uint32(round), Slice: uint32(slice), Part: uint32(part), Topics: uint32(j.Topics),
		}
	}
}

// totalsID names n_k of a part: it has the number of a slice that there is not.
func (j *Job) totalsID(part, round int) blob.ID {
	return j.blobID(blob.Counts, round, part)(j.Slices)
}

// totalsWrite is n_k of a part's own tokens as others get it.
func (j *Job) totalsWrite(part, round int, totals []uint64) blobWrite {
	row := make([]counts.Entry, 0, len(totals))
	for k, n := range totals {
		if n > 0 {
			row = append(row, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	var e blob.Encoder
	e.Begin(nil, j.totalsID(part, round))
	e.Counts(0, row)
	return blobWrite{j.keys.part(part, "head"), j.keys.totals(part, round), round, e.Finish()}
}

// totalsAt adds up n_k of all parts after a round.
func (j *Job) totalsAt(ctx context.Context, round int) ([]uint64, error) {
	sum := make([]uint64, j.Topics)
	var row []counts.Entry
	for part := range j.Parts {
		key := j.keys.totals(part, round)
		b, err := j.store.Get(ctx, key)
		if err == nil {
			err = firstMissing([]string{key}, b)
		}
		if err != nil {
			return nil, err
		}
		d, err := blob.Open(b[0], j.totalsID(part, round))
		if err == nil && d.Next() {
			row = d.Counts(row[:0])
			for _, e := range row {
				sum[e.Topic] += uint64(e.Count)
			}
			err = d.Err()
		}
		if err != nil {
			return nil, damaged(key, err)
		}
	}
	return sum, nil
}

// getRows fetches the rows of a slice, which must be there.
func (j *Job) getRows(ctx context.Context, slice, round int) ([]byte, error) {
	key := j.keys.rows(slice, round)
	values, err := j.store.Get(ctx, key)
	if err == nil && values[0] == nil {
		err = missing(key)
	}
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// allRows fetches the rows of a barrier, which must be there: their keys, and blobs by slice.
func (j *Job) allRows(ctx context.Context, round int) (names []string, blobs [][]byte, err error) {
	names = make([]string, j.Slices)
	for i := range names {
		names[i] = j.keys.rows(i, round)
	}
	if blobs, err = j.store.Get(ctx, names...); err != nil {
		return nil, nil, err
	}
	return names, blobs, firstMissing(names, blobs)
}

// loadRows reads the rows of a barrier into m.
func (j *Job) loadRows(ctx context.Context, m *rows.Model, round int) error {
	names, blobs, err := j.allRows(ctx, round)
	if err != nil {
		return err
	}
	return m.Load(round, blobs, j.blobID(blob.Counts, round, 0), func(slice int, err error) error { return damaged(names[slice], err) })
}

// getChanges fetches what a part changed in a round, which must be there.
func (j *Job) getChanges(ctx context.Context, round, part int) ([][]byte, error) {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.keys.changes(i, round, part)
	}
	blobs, err := j.store.Get(ctx, names...)
	if err != nil {
		return nil, err
	}
	return blobs, firstMissing(names, blobs)
}
