package cluster

import (
	"math"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// held is a part that a worker has.
type held struct {
	number int
	part   *sampler.Part
	place  []uint32 // V: 1 + the number of a word in the part, 0 for others; nil where rows are apart
	totals []uint64 // K: n_k of its own tokens; nil unless rows are apart
	round  int      // the last one sampled; before the first barrier, -1
	told   int      // the last one whose changes are on their way to others
	saved  int      // where workers last met and what is wanted of it there was written

	reached int // where workers last met and this worker said that it is there

	// recent is what the part changed in the last rounds, oldest first: as many as
	// the staleness, or fewer at the beginning. It is not needed while the model is
	// ahead with the part.
	recent   []*rows.Own
	recentTo int // the round up to which it goes, -1 for none

	size int // bytes of the largest blob of changes in the last round
}

// spoiled is the round of a part whose topics were left half-way.
const spoiled = -2

// hold takes up a part where the last barrier left it.
func (s *session) hold(number int, state *protocol.State) (*held, error) {
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	j := s.o.Job
	words, err := s.o.Words(number)
	if err != nil {
		return nil, err
	}
	part, err := s.o.Plan.NewPart(s.o.Spans[number], words)
	if err != nil {
		return nil, err
	}
	p := &held{number: number, part: part, round: state.Round, told: state.Round, saved: state.Round, reached: state.Round, recentTo: -1}
	if !j.Apart {
		p.place = make([]uint32, j.Words)
		for i, w := range part.Words() {
			p.place[w] = uint32(i + 1)
		}
	}
	var z []uint32
	if key, round := j.BeginsWith(number, state); key != "" {
		b, err := j.GetTopics(s.ctx, key)
		if err != nil {
			return nil, err
		}
		z = make([]uint32, len(words))
		if err := blob.DecodeTopics(z, b, j.PartID(number, round), j.Topics); err != nil {
			return nil, protocol.Damaged(key, err)
		}
	}
	if z == nil && s.o.Plan.P.Tuning.StartTopics > 0 {
		z = make([]uint32, len(words))
		sampler.StartTopics(s.o.Plan.P, s.o.Spans[number].Begin, words, z)
	}
	if err := part.Start(z, s.priors(state, state.Iteration+1)); err != nil {
		return nil, err
	}
	if j.Apart {
		p.totals = p.tokenTotals(j.Topics)
	}
	if s.o.Passed != nil {
		s.o.Passed(number)
	}
	return p, nil
}

// recall sees to it that recent has what the part changed in the rounds that it
// does not yet see in the model.
func (s *session) recall(p *held) error {
	if p.recentTo == p.round {
		return nil
	}
	j := s.o.Job
	if err := s.flush(); err != nil { // some may be on their way
		return err
	}
	p.recent = nil
	for round := max(p.round-j.Staleness, 0) + 1; round <= p.round; round++ {
		changes := rows.NewOwn(s.placed(p), j.Topics)
		if s.o.Plan.Takes(p.part.Span(), s.rounds.Step(round)) {
			blobs, err := j.GetChanges(s.ctx, round, p.number)
			if err != nil {
				return err
			}
			place := p.place
			if s.onDevice() {
				place = nil // rows are not looked up
			}
			if err := changes.Read(blobs, place, j.BlobID(blob.Changes, round, p.number)); err != nil {
				return protocol.Damaged(j.Key.Changes(0, round, p.number), err)
			}
		}
		p.recent = append(p.recent, changes)
	}
	p.recentTo = p.round
	return nil
}

// sample samples a round of a part and sends what it changed on its way.
func (s *session) sample(p *held, round int, step sampler.Step, state *protocol.State) error {
	if !s.o.Plan.Takes(p.part.Span(), step) {
		if n := s.o.Job.Staleness; n > 0 && p.recentTo == round-1 {
			p.next(n, round, s.placed(p), s.o.Job.Topics)
		}
		p.round, p.told = round, round
		if s.o.Job.Apart {
			return s.push(p, round, nil) // others want to know n_k
		}
		return s.reach("r", p.number, "p", round)
	}
	if err := s.sampleRound(p, round, step, state); err != nil {
		return err
	}
	p.round = round

	s.mutex.Lock()
	s.report.Tokens += uint64(p.part.Span().Tokens() / s.o.Plan.Rounds(step.Iteration))
	s.report.Parts, s.report.Round = len(s.parts), round
	s.mutex.Unlock()
	return s.tell(p)
}

// sampleRound moves the tokens of a part.
func (s *session) sampleRound(p *held, round int, step sampler.Step, state *protocol.State) error {
	sees, err := s.seenBy(p)
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := p.part.Round(s.ctx, step, sees, s.priors(state, step.Iteration)); err != nil {
		p.round = spoiled
		return err
	}
	s.spend(&s.report.Sampling, begin)
	return nil
}

// tell collects what a part changed in its last round and sends it on its way.
func (s *session) tell(p *held) error {
	begin := time.Now()
	if s.o.Job.Apart {
		defer s.spend(&s.report.Coding, begin)
		return s.tellApart(p)
	}
	blobs, err := s.collect(p, p.round)
	if err != nil {
		return err
	}
	s.spend(&s.report.Coding, begin)
	return s.send(p, p.round, blobs)
}

// settle collects what parts have not told yet, because that failed.
func (s *session) settle() error {
	for _, p := range s.parts {
		if p.told < p.round {
			if err := s.tell(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// told says whether this worker's parts have told of a round.
func (s *session) told(round int) bool {
	return !slices.ContainsFunc(s.parts, func(p *held) bool { return p.told < round })
}

// noteProgress notes the last round that all parts of this worker have told of.
func (s *session) noteProgress() {
	told := math.MaxInt
	for _, p := range s.parts {
		told = min(told, p.told)
	}
	s.progress.Set(told)
}

// send sends what a part changed in a round on its way.
func (s *session) send(p *held, round int, blobs [][]byte) error {
	p.size = 0
	for _, b := range blobs {
		p.size = max(p.size, len(b))
	}
	p.told = round
	s.keep(round, p.number, blobs)
	return s.push(p, round, blobs)
}

// seenBy returns what a part sees: the model, and its own changes since.
func (s *session) seenBy(p *held) (*sampler.Frozen, error) {
	if s.o.Job.Apart {
		return s.seenApart(p)
	}
	if s.o.Job.Staleness > 0 && s.model.Ahead != p.number {
		if err := s.recall(p); err != nil {
			return nil, err
		}
	}
	if s.onDevice() {
		return s.seenOnDevice(p)
	}
	if s.o.Job.Staleness == 0 || s.model.Ahead == p.number {
		return s.model.Frozen(), nil
	}
	if len(p.recent) == 0 {
		return s.model.Frozen(), nil
	}
	return rows.NewView(s.model, p.place, p.recent).Frozen(), nil
}

// next returns what is to hold the changes of a round, behind those that the part
// does not see in the model yet. It has none at first.
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
