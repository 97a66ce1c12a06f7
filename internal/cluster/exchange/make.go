package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// room is what one goroutine needs to have a slice open, or to make its next version.
type room struct {
	rows    rows.Apart
	merger  rows.Merger
	encoder blob.Encoder
}

// read puts the rows of a slice at a version, which come as a blob, and changes together.
func (r *room) read(x *core, b []byte, slice, version int, sources []rows.Source) error {
	words := x.o.Cut.Words[slice]
	d, err := blob.Open(b, x.o.Job.BlobID(blob.Counts, version, 0)(slice))
	if err == nil {
		err = r.rows.Read(words, &d)
	}
	if err != nil {
		return protocol.Damaged(x.o.Job.Key.Rows(slice, version), err)
	}
	return r.rows.Add(&r.merger, words, sources, 1)
}

// keptSlice is a slice at its last version. Its rows stay here as they are in the store, so that they need not be
// fetched to make the next.
type keptSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// Make makes the next rows of a slice from what all parts changed in a round, for a protocol.Owner. Slices may be
// made at the same time.
func (x *Exchange) Make(_ context.Context, slice, round int) error {
	j, kept := x.o.Job, &x.apart.kept[slice]
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
	room := x.apart.rooms.Get().(*room)
	defer x.apart.rooms.Put(room)
	if err := room.read(x.core, kept.rows, slice, round-1, sources); err != nil {
		return err
	}
	*kept = keptSlice{round, room.rows.Encode(&room.encoder, j.BlobID(blob.Counts, round, 0)(slice), x.o.Cut.Words[slice])}
	x.tally.spend(&x.tally.report.Coding, begin)
	return j.Put(x.ctx, []records.Write{{Head: j.Key.Slice(slice, "head"), Key: j.Key.Rows(slice, round), Round: round, Blob: kept.rows}})
}

// Lose forgets a slice that another worker has now.
func (x *Exchange) Lose(slice int) { x.apart.kept[slice] = keptSlice{} }
