package exchange

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Publish implements protocol.Hands. It writes statistics of the rows too, if they are wanted.
func (x *Exchange) Publish(_ context.Context, state *protocol.State, slice, round int) error {
	j := x.o.Job
	var b []byte
	var err error
	sums := rows.NewStatistics(j.Topics)
	if state.Round < 0 {
		b, err = x.firstRows(slice, round)
	} else {
		b, err = x.whole.nextRows(state, slice, round, sums)
	}
	if err != nil {
		return err
	}
	var writes []records.Write
	if !state.Brief {
		writes = append(writes, records.Write{Key: j.Key.Rows(slice, round), Round: round, Blob: b})
	}
	if state.Histograms && !j.Apart {
		b := blob.EncodeStatistics(j.BlobID(blob.Statistics, round, 0)(slice), sums.Totals, sums.Counted)
		writes = append(writes, records.Write{Key: j.Key.Statistics(slice, round), Round: round, Blob: b})
	}
	if j.Apart { // this is the first barrier then
		if writes, err = x.apart.earlier(writes, slice, round); err != nil {
			return err
		}
	}
	return x.put(writes, func() error { return x.worker.Reach(x.ctx, "s", slice, "s", round) })
}

// nextRows encodes the rows of a slice for a barrier, with the changes that the model does not have yet. It also
// counts them in sums if statistics are wanted.
func (x *wholeRows) nextRows(state *protocol.State, slice, round int, sums *rows.Statistics) ([]byte, error) {
	if err := x.modelAt(state, x.worker.VersionFor(round+1)); err != nil {
		return nil, err
	}
	var list []change
	for r := x.model.Round + 1; r <= round; r++ {
		others, err := x.changesOfOthers(r)
		if err != nil {
			return nil, err
		}
		list = append(list, others...)
	}
	sources, err := x.open(list, slice)
	if err != nil {
		return nil, err
	}
	var e blob.Encoder
	e.Begin(nil, x.o.Job.BlobID(blob.Counts, round, 0)(slice))
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

func (x *Exchange) Save(_ context.Context, part *protocol.Part, s *protocol.State, round int) error {
	j, p := x.o.Job, x.local(part)
	begin := time.Now()
	x.noteProgress() // at the beginning a part has sent everything without a round
	if s.Round < 0 {
		if err := x.writeFirst(p, round); err != nil {
			return err
		}
	}
	var writes []records.Write
	if s.Histograms {
		docs := &counts.Histograms{Topic: make([][]uint32, j.Topics)}
		p.part.AddDocs(docs)
		b := blob.EncodeHistograms(j.PartID(p.Number, round), docs)
		writes = append(writes, records.Write{Key: j.Key.Histograms(p.Number, round), Round: round, Blob: b})
	}
	x.tally.spend(&x.tally.report.Coding, begin)
	if !s.Brief {
		topics, err := x.topics(p, round, s.Round >= 0)
		if err != nil {
			return err
		}
		writes = append(topics, writes...)
	}
	return x.put(writes, nil)
}

// topics writes the topics of a part to a file, or returns what is to be put into the store. All threads copy narrow
// topics of a part that has been sampled.
func (x *core) topics(p *localPart, round int, sampled bool) ([]records.Write, error) {
	j, n, key := x.o.Job, p.part.Span().Tokens(), x.o.Job.TopicsKey(p.Number, round)
	if sampled && j.Topics <= 1<<16 && !protocol.IsFile(key) {
		b, err := blob.EncodeNarrowTopics(j.PartID(p.Number, round), n, p.part.NarrowTopics)
		if err != nil || b != nil {
			return []records.Write{{Key: key, Round: round, Blob: b}}, err
		}
	}
	return j.SaveTopics(p.Number, round, key, n, p.part.EachTopics)
}
