package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// keepRoom is what one goroutine needs to make a version.
type keepRoom struct {
	rows    rows.Apart
	merger  rows.Merger
	encoder blob.Encoder
}

// keptSlice is a slice at its last version. Its rows stay here as they are in the store, so that
// they need not be fetched to make the next.
type keptSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// Make makes rows or a sum of what all parts changed in a slice and a round, for a protocol.Owner. Slices may be made
// at the same time.
func (x *Exchange) Make(_ context.Context, slice, round int) (err error) {
	sources, err := x.changesOf(slice, round)
	if err != nil {
		return err
	}
	begin := time.Now()
	var b []byte
	if x.apart != nil {
		b, err = x.apart.next(slice, round, sources)
	} else {
		b, err = x.sum(slice, round, sources)
	}
	if err != nil {
		return err
	}
	x.tally.spend(&x.tally.report.Coding, begin)
	j := x.o.Job
	return j.Put(x.ctx, []records.Write{{Head: j.Key.Slice(slice, "head"), Key: j.MadeKey(slice, round), Round: round, Blob: b}})
}

// Lose forgets a slice that another worker has now.
func (x *Exchange) Lose(slice int) {
	if x.apart != nil {
		x.apart.kept[slice] = keptSlice{}
	}
}

// sum adds up what parts changed in a slice.
func (x *Exchange) sum(slice, round int, sources []rows.Source) ([]byte, error) {
	decoders := make([]blob.Decoder, len(sources))
	for i := range sources {
		decoders[i] = sources[i].Decoder
	}
	var summer blob.Summer
	return summer.Merge(nil, x.o.Job.BlobID(blob.Changes, round, x.o.Job.AllParts())(slice), decoders)
}

// next makes the rows of a slice after a round of those before it, and keeps them.
func (x *apartRows) next(slice, round int, sources []rows.Source) ([]byte, error) {
	j, kept := x.o.Job, &x.kept[slice]
	if kept.rows == nil || kept.version != round-1 {
		b, err := j.GetRows(x.ctx, slice, round-1)
		if err != nil {
			return nil, err
		}
		*kept = keptSlice{round - 1, b}
	}
	room := x.rooms.Get().(*keepRoom)
	defer x.rooms.Put(room)
	words := x.cut.Words[slice]
	base, err := blob.Open(kept.rows, j.BlobID(blob.Counts, round-1, 0)(slice))
	if err == nil {
		err = room.rows.Read(words, &base)
	}
	if err != nil {
		return nil, protocol.Damaged(j.Key.Rows(slice, round-1), err)
	}
	if err := room.rows.Add(&room.merger, words, sources, 1); err != nil {
		return nil, err
	}
	*kept = keptSlice{round, room.rows.Encode(&room.encoder, j.BlobID(blob.Counts, round, 0)(slice), words)}
	return kept.rows, nil
}
