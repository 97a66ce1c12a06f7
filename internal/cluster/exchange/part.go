package exchange

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// localPart is a part that this worker has. Only the worker changes it; a sampler reads it during a round.
type localPart struct {
	*protocol.Part               // how far it is
	part           *sampler.Part // its tokens and their topics
	place          []uint32      // V: 1 + the number of a word in the part, 0 for others; nil where rows are apart
	totals         []uint64      // K: n_k of its own tokens; nil unless rows are apart

	// recent has the part's changes of the last rounds, oldest first: as many rounds as the staleness, or fewer at
	// the beginning. They are what the part sees of itself beside the model. The solo part of a model needs none.
	recent   []*rows.ChangeSet
	recentTo int // the last round in recent, -1 for none. Unless it is the part's round, recent is read again

	size int // bytes of the largest blob of changes in the last round
}

// local returns what this worker has of a part.
func (x *Exchange) local(p *protocol.Part) *localPart {
	return x.parts[slices.IndexFunc(x.parts, func(l *localPart) bool { return l.Part == p })]
}

// load takes up a part where the last barrier left it.
func (x *Exchange) load(at *protocol.Part, state *protocol.State) (*localPart, error) {
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	j, span := x.o.Job, x.o.Spans[at.Number]
	words, err := x.o.Words(at.Number)
	if err != nil {
		return nil, err
	}
	part, err := x.o.Plan.NewPart(span, words)
	if err != nil {
		return nil, err
	}
	p := &localPart{Part: at, part: part, recentTo: -1}
	if !j.Apart {
		p.place = make([]uint32, j.Words)
		for i, w := range part.Words() {
			p.place[w] = uint32(i + 1)
		}
	}
	z, err := x.topicsAt(at.Number, state, words)
	if err != nil {
		return nil, err
	}
	if err := part.Start(z, x.priors(state, state.Iteration+1)); err != nil {
		return nil, err
	}
	if j.Apart {
		p.totals = p.tokenTotals(j.Topics)
	}
	if x.o.Passed != nil {
		x.o.Passed(at.Number)
	}
	return p, nil
}

// topicsAt returns the topics of a part's tokens where the last barrier, or a checkpoint, left them, or draws the
// first ones.
func (x *Exchange) topicsAt(part int, state *protocol.State, words []uint32) ([]uint32, error) {
	j := x.o.Job
	key, round := j.BeginsWith(part, state)
	if key == "" {
		return sampler.FirstTopics(x.o.Plan.P, x.o.Spans[part].Begin, words), nil
	}
	b, err := j.ReadBlob(x.ctx, key)
	if err != nil {
		return nil, err
	}
	z := make([]uint32, len(words))
	if err := blob.DecodeTopics(z, b, j.PartID(part, round), j.Topics); err != nil {
		return nil, protocol.Damaged(key, err)
	}
	return z, nil
}

// skip passes a round in which a part has nothing to do.
func (x *Exchange) skip(p *localPart, round int) error {
	j := x.o.Job
	if j.Staleness > 0 && p.recentTo == round-1 {
		p.next(j.Staleness, round, x.placed(p), j.Topics)
	}
	if p.Round, p.Sent = round, round; j.Apart { // others want to know n_k
		return x.put([]records.Write{j.TotalsWrite(p.Number, round, p.totals)}, x.reached(p, round))
	}
	return x.reached(p, round)()
}

// sampleRound moves the tokens of a part.
func (x *Exchange) sampleRound(p *localPart, round int, state *protocol.State) error {
	sees, err := x.seenBy(p)
	if err != nil {
		return err
	}
	begin, step := time.Now(), x.o.Rounds.Step(round)
	if err := p.part.Round(x.ctx, step, sees, x.priors(state, step.Iteration)); err != nil {
		p.Round = protocol.Spoiled
		return err
	}
	p.Round = round
	x.tally.update(func(r *protocol.Report) {
		r.Sampling += time.Since(begin)
		r.Tokens += uint64(p.part.Span().Tokens() / x.o.Plan.Rounds(step.Iteration))
		r.Parts, r.Round = len(x.parts), round
	})
	return nil
}

// seenBy returns the model as a part sees it: with its own changes since.
func (x *Exchange) seenBy(p *localPart) (*sampler.Frozen, error) {
	if x.apart != nil {
		return x.apart.seenApart(p)
	}
	m := x.whole.model
	if x.o.Job.Staleness == 0 || m.Solo == p.Number {
		return m.Frozen(), nil
	}
	if err := x.recall(p); err != nil {
		return nil, err
	}
	if len(p.recent) == 0 {
		return m.Frozen(), nil
	}
	return rows.NewView(m, p.place, p.recent).Frozen(), nil
}

// tokenTotals counts n_k of a part's tokens.
func (p *localPart) tokenTotals(topics int) []uint64 {
	totals := make([]uint64, topics)
	_ = p.part.EachTopics(func(z []uint32) error {
		for _, k := range z {
			totals[k]++
		}
		return nil
	})
	return totals
}
