package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// keptSlice is a slice at its last version. Its rows stay here as they are in the store: the next version needs no
// fetch.
type keptSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// make makes the next rows of a slice from the changes of all parts in a round. Slices may be made at the same time.
func (x *apartRows) make(_ context.Context, slice, round int) error {
	j, kept := x.o.Job, &x.kept[slice]
	sources, err := j.OpenChanges(x.ctx, slice, round, x.takers(round))
	if err != nil {
		return err
	}
	begin := time.Now()
	if kept.rows == nil || kept.version != round-1 {
		b, err := j.ReadBlob(x.ctx, j.Key.Rows(slice, round-1))
		if err != nil {
			return err
		}
		*kept = keptSlice{round - 1, b}
	}
	room := x.rooms.Get().(*room)
	defer x.rooms.Put(room)
	if err := room.read(x.core, kept.rows, slice, round-1, sources); err != nil {
		return err
	}
	*kept = keptSlice{round, room.encode(x.core, slice, round)}
	x.tally.spend(&x.tally.report.Coding, begin)
	return j.Put(x.ctx, []records.Write{{Key: j.Key.Rows(slice, round), Round: round, Blob: kept.rows}})
}

// lose forgets a slice that another worker has now.
func (x *apartRows) lose(slice int) { x.kept[slice] = keptSlice{} }

// room holds an open slice, and makes its next version, in one goroutine.
type room struct {
	rows    rows.Apart
	merger  rows.Merger
	encoder blob.Encoder
}

// read reads the rows of a slice at a version from a blob, and adds changes.
func (r *room) read(x *core, b []byte, slice, version int, sources []rows.Source) error {
	words := x.o.Cut.Words[slice]
	d, err := x.o.Job.OpenRows(b, slice, version)
	if err == nil {
		err = r.rows.Read(words, &d)
	}
	if err != nil {
		return protocol.Damaged(x.o.Job.Key.Rows(slice, version), err)
	}
	return r.rows.Add(&r.merger, words, sources, 1)
}

// encode returns the rows as a blob of a version.
func (r *room) encode(x *core, slice, version int) []byte {
	return r.rows.Encode(&r.encoder, x.o.Job.BlobID(blob.Counts, version, 0)(slice), x.o.Cut.Words[slice])
}
