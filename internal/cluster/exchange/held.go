package exchange

import (
	"math"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// held is a part that a worker has.
type held struct {
	*protocol.Part
	part   *sampler.Part
	place  []uint32 // V: 1 + the number of a word in the part, 0 for others; nil where rows are apart
	totals []uint64 // K: n_k of its own tokens; nil unless rows are apart

	// recent is what the part changed in the last rounds, oldest first: as many as the staleness, or fewer at the
	// beginning. It is not needed while the model is ahead with the part.
	recent   []*rows.Own
	recentTo int // the round up to which it goes, -1 for none

	size int // bytes of the largest blob of changes in the last round
}

// hold takes up a part where the last barrier left it.
func (x *Exchange) hold(at *protocol.Part, state *protocol.State) (*held, error) {
	number := at.Number
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	j := x.o.Job
	words, err := x.o.Words(number)
	if err != nil {
		return nil, err
	}
	part, err := x.o.Plan.NewPart(x.o.Spans[number], words)
	if err != nil {
		return nil, err
	}
	p := &held{Part: at, part: part, recentTo: -1}
	if !j.Apart {
		p.place = make([]uint32, j.Words)
		for i, w := range part.Words() {
			p.place[w] = uint32(i + 1)
		}
	}
	var z []uint32
	if key, round := j.BeginsWith(number, state); key != "" {
		b, err := j.ReadBlob(x.ctx, key)
		if err != nil {
			return nil, err
		}
		z = make([]uint32, len(words))
		if err := blob.DecodeTopics(z, b, j.PartID(number, round), j.Topics); err != nil {
			return nil, protocol.Damaged(key, err)
		}
	}
	if z == nil && x.o.Plan.P.Tuning.StartTopics > 0 {
		z = make([]uint32, len(words))
		sampler.StartTopics(x.o.Plan.P, x.o.Spans[number].Begin, words, z)
	}
	if err := part.Start(z, x.priors(state, state.Iteration+1)); err != nil {
		return nil, err
	}
	if j.Apart {
		p.totals = p.tokenTotals(j.Topics)
	}
	if x.o.Passed != nil {
		x.o.Passed(number)
	}
	return p, nil
}

// recall sees to it that recent has what the part changed in the rounds that it does not yet see in the model.
func (x *core) recall(p *held) error {
	if p.recentTo == p.Round {
		return nil
	}
	j := x.o.Job
	if err := x.Flush(x.ctx); err != nil { // some may be on their way
		return err
	}
	p.recent = nil
	for round := max(p.Round-j.Staleness, 0) + 1; round <= p.Round; round++ {
		changes := rows.NewOwn(x.placed(p), j.Topics)
		if x.o.Takes(p.Number, round) {
			blobs, err := j.GetChanges(x.ctx, round, p.Number)
			if err != nil {
				return err
			}
			if err := changes.Read(blobs, p.place, j.BlobID(blob.Changes, round, p.Number)); err != nil {
				return protocol.Damaged(j.Key.Changes(0, round, p.Number), err)
			}
		}
		p.recent = append(p.recent, changes)
	}
	p.recentTo = p.Round
	return nil
}

// sample samples a round of a part and sends what it changed on its way.
func (x *Exchange) sample(p *held, round int, step sampler.Step, state *protocol.State) error {
	if !x.o.Takes(p.Number, round) {
		if n := x.o.Job.Staleness; n > 0 && p.recentTo == round-1 {
			p.next(n, round, x.placed(p), x.o.Job.Topics)
		}
		p.Round, p.Told = round, round
		if x.o.Job.Apart {
			return x.push(p, round, nil) // others want to know n_k
		}
		return x.worker.Reach(x.ctx, "r", p.Number, "p", round)
	}
	if err := x.sampleRound(p, round, step, state); err != nil {
		return err
	}
	p.Round = round

	x.tally.mutex.Lock()
	x.tally.report.Tokens += uint64(p.part.Span().Tokens() / x.o.Plan.Rounds(step.Iteration))
	x.tally.report.Parts, x.tally.report.Round = len(x.parts), round
	x.tally.mutex.Unlock()
	return x.tell(p)
}

// sampleRound moves the tokens of a part.
func (x *Exchange) sampleRound(p *held, round int, step sampler.Step, state *protocol.State) error {
	sees, err := x.seenBy(p)
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := p.part.Round(x.ctx, step, sees, x.priors(state, step.Iteration)); err != nil {
		p.Round = protocol.Spoiled
		return err
	}
	x.tally.spend(&x.tally.report.Sampling, begin)
	return nil
}

// tell collects what a part changed in its last round and sends it on its way.
func (x *Exchange) tell(p *held) error {
	begin := time.Now()
	if x.o.Job.Apart {
		defer x.tally.spend(&x.tally.report.Coding, begin)
		return x.apart.tellApart(p)
	}
	w, round := x.whole, p.Round
	blobs, err := w.collect(p, round)
	if err != nil {
		return err
	}
	x.tally.spend(&x.tally.report.Coding, begin)
	p.Told, p.size = round, longest(blobs)
	if w.own[round] == nil {
		w.own[round] = map[int][][]byte{}
	}
	w.own[round][p.Number] = blobs // until the model has them
	return x.push(p, round, blobs)
}

// longest returns the length of the longest blob.
func longest(blobs [][]byte) (most int) {
	for _, b := range blobs {
		most = max(most, len(b))
	}
	return most
}

// noteProgress notes and returns the last round that all parts of this worker have told of.
func (x *core) noteProgress() (told int) {
	told = math.MaxInt
	for _, p := range x.parts {
		told = min(told, p.Told)
	}
	x.o.Progress.Set(told)
	return told
}

// seenBy returns what a part sees: the model, and its own changes since.
func (x *Exchange) seenBy(p *held) (*sampler.Frozen, error) {
	if x.o.Job.Apart {
		return x.apart.seenApart(p)
	}
	m := x.whole.model
	if x.o.Job.Staleness == 0 || m.Ahead == p.Number {
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

// placed is how many words' places in blobs are kept with what a part changed.
func (x *core) placed(p *held) int {
	if x.o.Job.Apart {
		return 0
	}
	return len(p.part.Words())
}

// next returns what is to hold the changes of a round, behind those that the part does not see in the model yet. It
// has none at first.
func (p *held) next(staleness, round, words, topics int) *rows.Own {
	var own *rows.Own
	if len(p.recent) < staleness {
		own = rows.NewOwn(words, topics)
	} else {
		own, p.recent = p.recent[0], p.recent[1:]
		own.Clear()
	}
	p.recent = append(p.recent, own)
	p.recentTo = round
	return own
}
