package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// madeSlice is a slice at its last version. Its rows stay here as they are in the store: the next version needs no
// fetch.
type madeSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// makeRows makes the next rows of a slice from the changes of all parts in a round. Slices may be made at the same
// time.
func (x *apartRows) makeRows(_ context.Context, slice, round int) error {
	j, last := x.o.Job, &x.made[slice]
	sources, err := j.OpenChanges(x.ctx, slice, round, x.takers(round))
	if err != nil {
		return err
	}
	begin := time.Now()
	if last.rows == nil || last.version != round-1 {
		b, err := j.ReadBlob(x.ctx, j.Key.Rows(slice, round-1))
		if err != nil {
			return err
		}
		*last = madeSlice{round - 1, b}
	}
	maker := x.makers.Get().(*sliceMaker)
	defer x.makers.Put(maker)
	if err := maker.read(x.core, last.rows, slice, round-1, sources); err != nil {
		return err
	}
	*last = madeSlice{round, maker.encode(x.core, slice, round)}
	x.tally.spend(&x.tally.report.Coding, begin)
	return j.Put(x.ctx, []records.Write{{Key: j.Key.Rows(slice, round), Round: round, Blob: last.rows}})
}

// loseSlice forgets a slice that another worker has now.
func (x *apartRows) loseSlice(slice int) { x.made[slice] = madeSlice{} }

// sliceMaker holds an open slice, and makes its next version, in one goroutine.
type sliceMaker struct {
	rows    rows.OpenSlice
	merger  rows.Merger
	encoder blob.Encoder
}

// read reads the rows of a slice at a version from a blob, and adds changes.
func (m *sliceMaker) read(x *core, b []byte, slice, version int, sources []rows.Source) error {
	words := x.o.Cut.Words[slice]
	d, err := x.o.Job.OpenRows(b, slice, version)
	if err == nil {
		err = m.rows.Read(words, &d)
	}
	if err != nil {
		return protocol.Damaged(x.o.Job.Key.Rows(slice, version), err)
	}
	return m.rows.Add(&m.merger, words, sources, 1)
}

// encode returns the rows as a blob of a version.
func (m *sliceMaker) encode(x *core, slice, version int) []byte {
	return m.rows.Encode(&m.encoder, x.o.Job.BlobID(blob.Counts, version, 0)(slice), x.o.Cut.Words[slice])
}
