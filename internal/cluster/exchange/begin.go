package exchange

import (
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// writeFirst writes the counts of a part in each slice when the job begins.
func (x *Exchange) writeFirst(p *localPart, round int) error {
	j := x.o.Job
	words, err := x.o.Words(p.Number)
	if err != nil {
		return err
	}
	z := make([]uint32, len(words))
	p.part.Topics(z)
	blobs, err := rows.CountPart(x.ctx, words, z, x.o.Cut, j.Topics, j.BlobID(blob.Counts, round, p.Number))
	if err != nil {
		return err
	}
	writes := make([]records.Write, len(blobs))
	for slice, b := range blobs {
		writes[slice] = records.Write{Key: j.Key.First(slice, p.Number), Round: round, Blob: b}
	}
	if err := x.put(writes, nil); err != nil || x.apart == nil {
		return err
	}
	return x.apart.putTotals(p, round)
}

// firstRows adds up the counts of all parts in a slice when the job begins, and pseudo-counts.
func (x *Exchange) firstRows(slice, round int) ([]byte, error) {
	j, id := x.o.Job, x.o.Job.BlobID(blob.Counts, round, 0)(slice)
	names := records.Each(j.Parts, func(i int) string { return j.Key.First(slice, i) })
	blobs, err := j.Must(x.ctx, names...)
	if errors.Is(err, protocol.ErrMissing) {
		return nil, protocol.ErrBehind // not all are there: look again later
	}
	if err != nil {
		return nil, err
	}
	decoders := make([]blob.Decoder, j.Parts)
	for i, b := range blobs {
		if decoders[i], err = blob.Open(b, j.BlobID(blob.Counts, round, i)(slice)); err != nil {
			return nil, protocol.Damaged(names[i], err)
		}
	}
	var e blob.Encoder
	e.Begin(nil, id)
	for _, w := range x.o.Cut.Words[slice] {
		e.Counts(w, j.Pseudo.Row(int(w)))
	}
	base, err := blob.Open(e.Finish(), id)
	if err != nil {
		return nil, err
	}
	var sum blob.Summer
	return sum.Apply(nil, id, &base, decoders)
}

// putTotals writes n_k of a part when the job begins. If the job continues from a checkpoint with staleness, it also
// writes n_k of the earlier rounds that others still see.
func (x *apartRows) putTotals(p *localPart, round int) error {
	j := x.o.Job
	writes := []records.Write{j.TotalsWrite(p.Number, round, p.totals)}
	if j.From == 0 {
		p.recentTo = round // nothing was changed before
	} else if err := x.recall(p); err != nil {
		return err
	}
	totals := slices.Clone(p.totals)
	for i, own := range slices.Backward(p.recent) {
		for k, n := range own.Totals {
			totals[k] -= n
		}
		writes = append(writes, j.TotalsWrite(p.Number, round-len(p.recent)+i, totals))
	}
	return x.put(writes, nil)
}

// earlier appends the rows of a slice before those of the first write: as many versions as others still see in a job
// that continues from a checkpoint.
func (x *apartRows) earlier(writes []records.Write, slice, round int) ([]records.Write, error) {
	j := x.o.Job
	first := max(round-j.Staleness, 0)
	if j.From == 0 || first == round {
		return writes, nil
	}
	var now sliceMaker
	if err := now.read(x.core, writes[0].Blob, slice, round, nil); err != nil {
		return nil, err
	}
	for r := round; r > first; r-- {
		sources, err := j.OpenChanges(x.ctx, slice, r, x.takers(r))
		if err == nil {
			err = now.rows.Add(&now.merger, x.o.Cut.Words[slice], sources, -1)
		}
		if err != nil {
			return nil, err
		}
		b := now.encode(x.core, slice, r-1)
		writes = append(writes, records.Write{Key: j.Key.Rows(slice, r-1), Round: r - 1, Blob: b})
	}
	return writes, nil
}
