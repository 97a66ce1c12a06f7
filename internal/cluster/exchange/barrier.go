package exchange

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// docs counts the documents of a part.
func (p *held) docs(topics int) *counts.Histograms {
	h := &counts.Histograms{Topic: make([][]uint32, topics)}
	p.part.AddDocs(h)
	return h
}

// saveTopics writes the topics of a part, and other things. To a file they go run by run, to the store beside what the
// worker does next.
func (x *Exchange) saveTopics(p *held, state *protocol.State, round int, writes []records.Write) error {
	j := x.o.Job
	n, key := p.part.Span().Tokens(), j.TopicsKey(p.Number, round)
	if state.Round >= 0 && j.Topics <= 1<<16 && !protocol.IsFile(key) {
		b, err := blob.EncodeNarrowTopics(j.PartID(p.Number, round), n, p.part.NarrowTopics)
		if err != nil {
			return err
		}
		if b != nil {
			return x.background(func() error {
				if err := j.PutEncoded(x.ctx, p.Number, round, key, b); err != nil {
					return err
				}
				return j.Put(x.ctx, writes)
			})
		}
	}
	if protocol.IsFile(key) {
		if err := j.WriteTopics(p.Number, round, key, n, p.part.EachTopics); err != nil {
			return err
		}
		return x.background(func() error { return j.Put(x.ctx, writes) })
	}
	z := make([]uint32, n)
	p.part.Topics(z)
	return x.background(func() error {
		if err := j.PutTopics(x.ctx, p.Number, round, key, z); err != nil {
			return err
		}
		return j.Put(x.ctx, writes)
	})
}

// tellFirst writes what a part has in each slice when the job begins.
func (x *Exchange) tellFirst(p *held, round int) error {
	j := x.o.Job
	id := j.BlobID(blob.Counts, round, p.Number)
	put := func(slice int, b []byte) error {
		write := records.Write{Head: j.Key.Slice(slice, "head"), Key: j.Key.First(slice, p.Number), Round: round, Blob: b}
		return x.background(func() error { return j.Put(x.ctx, []records.Write{write}) })
	}
	if _, ok := p.part.OwnRow(nil, 0); ok {
		for slice := range j.Slices {
			if err := put(slice, x.ownRows(p, id(slice), slice)); err != nil {
				return err
			}
		}
		return x.firstTotals(p, round)
	}
	words, err := x.o.Words(p.Number)
	if err != nil {
		return err
	}
	z := make([]uint32, len(words))
	p.part.Topics(z)
	blobs, err := rows.CountPart(x.ctx, words, z, x.cut, j.Topics, id)
	if err != nil {
		return err
	}
	for slice, b := range blobs {
		if err := put(slice, b); err != nil {
			return err
		}
	}
	return x.firstTotals(p, round)
}

// firstTotals writes n_k of a part when the job begins, where rows are apart.
func (x *Exchange) firstTotals(p *held, round int) error {
	if x.apart == nil {
		return nil
	}
	return x.apart.putTotals(p, round)
}

// ownRows counts a part's own tokens of a slice.
func (x *Exchange) ownRows(p *held, id blob.ID, slice int) []byte {
	lo, hi := p.placesIn(x.cut, slice)
	words := p.part.Words()
	var row []counts.Entry
	e := &x.encoders[0]
	e.Begin(nil, id)
	for i := lo; i < hi; i++ {
		row, _ = p.part.OwnRow(row[:0], i)
		e.Counts(words[i], row)
	}
	return e.Finish()
}

// Publish implements protocol.Hands. It writes statistics of the rows too, if they are wanted.
func (x *Exchange) Publish(_ context.Context, state *protocol.State, slice, round int) error {
	j := x.o.Job
	id := j.BlobID(blob.Counts, round, 0)(slice)
	var b []byte
	var err error
	sums := rows.NewStatistics(j.Topics)
	if state.Round < 0 {
		b, err = x.firstRows(id, slice, round)
	} else {
		b, err = x.whole.nextRows(state, id, slice, round, sums)
	}
	if err != nil {
		return err
	}
	head, writes := j.Key.Slice(slice, "head"), []records.Write(nil)
	if !state.Brief {
		writes = append(writes, records.Write{Head: head, Key: j.Key.Rows(slice, round), Round: round, Blob: b})
	}
	if state.Histograms && !j.Apart {
		b := blob.EncodeStatistics(j.BlobID(blob.Statistics, round, 0)(slice), sums.Totals, sums.Counted)
		writes = append(writes, records.Write{Head: head, Key: j.Key.Statistics(slice, round), Round: round, Blob: b})
	}
	if j.Apart { // the only barrier at which this function is asked
		if writes, err = x.apart.earlier(writes, slice, round); err != nil {
			return err
		}
	}
	return x.background(func() error {
		if err := j.Put(x.ctx, writes); err != nil {
			return err
		}
		return x.worker.Reach(x.ctx, "s", slice, "s", round)
	})
}

// firstRows adds up what all parts have in a slice when the job begins, and pseudo-counts.
func (x *Exchange) firstRows(id blob.ID, slice, round int) ([]byte, error) {
	j := x.o.Job
	names := make([]string, j.Parts)
	for i := range names {
		names[i] = j.Key.First(slice, i)
	}
	blobs, err := j.Store.Get(x.ctx, names...)
	if err != nil {
		return nil, err
	}
	decoders := make([]blob.Decoder, j.Parts)
	for i, b := range blobs {
		if b == nil {
			return nil, protocol.ErrBehind // not all are there: look again later
		}
		if decoders[i], err = blob.Open(b, j.BlobID(blob.Counts, round, i)(slice)); err != nil {
			return nil, protocol.Damaged(names[i], err)
		}
	}
	var e blob.Encoder
	e.Begin(nil, id)
	for _, w := range x.cut.Words[slice] {
		e.Counts(w, j.Pseudo.Row(int(w)))
	}
	base, err := blob.Open(e.Finish(), id)
	if err != nil {
		return nil, err
	}
	var sum blob.Summer
	return sum.Apply(nil, id, &base, decoders)
}

// nextRows encodes the rows of a slice with the changes that the model does not have yet, for a barrier, and counts them if
// statistics are wanted.
func (x *wholeRows) nextRows(state *protocol.State, id blob.ID, slice, round int, sums *rows.Statistics) ([]byte, error) {
	if err := x.modelAt(state, x.worker.VersionFor(round+1)); err != nil {
		return nil, err
	}
	var lists []*roundChanges
	for r := x.model.Round + 1; r <= round; r++ {
		others, err := x.others(r)
		if err != nil {
			return nil, err
		}
		lists = append(lists, others...)
	}
	sources, err := openAll(lists, x.o.Job, slice)
	if err != nil {
		return nil, err
	}
	e := &x.encoders[slice]
	e.Begin(nil, id)
	err = x.merger.Each(x.model, slice, sources, func(w uint32, row []counts.Entry) {
		if !state.Brief {
			e.Counts(w, row)
		}
		if state.Histograms {
			sums.Add(row)
		}
	})
	if err != nil {
		return nil, err
	}
	return e.Finish(), nil
}
