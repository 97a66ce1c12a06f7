package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// modelAt brings the model to a version: forwards with the changes of the rounds
// between, backwards by way of the last barrier's rows. A part that this worker has
// alone finds its own changes in it up to the last round it has sampled.
func (s *session) modelAt(state *State, version int) error {
	tilt, tilted := -1, 0
	if len(s.parts) == 1 {
		tilt, tilted = s.parts[0].number, s.parts[0].round
	}
	m := s.model
	kept := state.Round - s.o.Job.Staleness // changes after this round are there
	if m == nil || m.round > version || m.round < kept || m.tilt >= 0 && (m.tilt != tilt || max(m.tilted, m.applied) > tilted) {
		if err := s.loadModel(state); err != nil {
			return err
		}
		m = s.model
	}
	if tilt >= 0 && m.tilt < 0 {
		m.tilt, m.tilted = tilt, m.round // as rows of a barrier have them
	}
	for m.round > version {
		if err := s.shift(-1, m.round, 0); err != nil {
			return err
		}
	}
	for m.round < version || tilt >= 0 && m.tilted < tilted {
		others, own := 0, 0
		if m.round < version {
			others = m.round + 1
		}
		if tilt >= 0 && m.tilted < tilted {
			own = m.tilted + 1
		}
		if err := s.shift(1, others, own); err != nil {
			return err
		}
	}
	return nil
}

// loadModel reads the rows of the last barrier.
func (s *session) loadModel(state *State) error {
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	if s.model == nil {
		s.model = newModel(s.cut, s.o.Job.Topics)
	}
	err := s.o.Job.loadRows(s.ctx, s.model, state.Round)
	if err != nil {
		s.model = nil
	}
	return err
}

// shift adds the changes of a round to the model, or takes them out: those of all
// parts but the one towards which it is tilted, whose changes of round own it adds.
// A round of 0 means none.
func (s *session) shift(sign int32, round, own int) error {
	m := s.model
	var lists []*roundChanges
	if round > 0 {
		others, err := s.others(round)
		if err != nil {
			return err
		}
		lists = others
	}
	if own > 0 {
		changes, err := s.ownChanges(own, m.tilt)
		if err != nil {
			return err
		}
		lists = append(lists, changes)
	}
	begin := time.Now()
	for i := range m.slices {
		var sources []source
		for _, list := range lists {
			var err error
			if sources, err = list.open(sources, s.o.Job, i); err != nil {
				return err
			}
		}
		if err := s.merger.shift(m, i, sources, sign); err != nil {
			s.model = nil
			return err
		}
	}
	switch {
	case sign < 0:
		m.round--
	case round > 0:
		m.round = round
	}
	if own > 0 {
		m.tilted = own
	}
	s.forget(m.round)
	s.spend(&s.report.Coding, begin)
	return nil
}

// roundChanges are the blobs of all that changed in a round, by part.
type roundChanges struct {
	round   int
	parts   []int
	blobs   [][][]byte // by place in parts, by slice
	applied bool       // their changes of dense rows are in the model already
	taken   bool       // see source
}

// without returns the changes of all parts but one.
func (c *roundChanges) without(part int) *roundChanges {
	rest := &roundChanges{round: c.round}
	for i, p := range c.parts {
		if p != part {
			rest.parts, rest.blobs = append(rest.parts, p), append(rest.blobs, c.blobs[i])
		}
	}
	return rest
}

// open appends the blobs of a slice to sources.
func (c *roundChanges) open(sources []source, j *Job, slice int) ([]source, error) {
	for i, part := range c.parts {
		d, err := blob.Open(c.blobs[i][slice], j.blobID(blob.Changes, c.round, part)(slice))
		if err != nil {
			return nil, err
		}
		sources = append(sources, source{Decoder: d, applied: c.applied, taken: c.taken})
	}
	return sources, nil
}

// ownChanges returns what a part of this worker changed in a round: from memory,
// or from the store.
func (s *session) ownChanges(round, part int) (*roundChanges, error) {
	c := &roundChanges{round: round}
	if !s.o.Plan.Takes(s.o.Spans[part], s.rounds.step(round)) {
		return c, nil
	}
	c.parts = []int{part}
	if b := s.own[round][part]; b != nil {
		c.blobs = [][][]byte{b}
		c.applied = s.model.applied == round
		return c, nil
	}
	b, err := s.o.Job.getChanges(s.ctx, round, part)
	c.blobs = [][][]byte{b}
	return c, err
}

// getChanges fetches what a part changed in a round, which must be there.
func (j *Job) getChanges(ctx context.Context, round, part int) ([][]byte, error) {
	names := make([]string, j.Slices)
	for i := range names {
		names[i] = j.keys.changes(i, round, part)
	}
	blobs, err := j.store.Get(ctx, names...)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(blobs, func(b []byte) bool { return b == nil }) {
		return nil, errBehind
	}
	return blobs, nil
}

// changes returns what changed in a round: this worker's own parts' at once, the
// others' when they have come.
func (s *session) changes(round int) (*roundChanges, error) {
	s.prefetch(round)
	f := s.fetches[round]
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	if err := s.until(f.done); err != nil {
		return nil, err
	}
	if f.err != nil {
		delete(s.fetches, round)
		return nil, f.err
	}
	c := &roundChanges{round: round, parts: slices.Clone(f.parts), blobs: slices.Clone(f.blobs)}
	if s.o.Job.Summed {
		return c, nil
	}
	for part := range s.o.Job.Parts { // in order, though no sum depends on it
		if b := s.own[round][part]; b != nil && !slices.Contains(f.parts, part) {
			c.parts, c.blobs = append(c.parts, part), append(c.blobs, b)
		}
	}
	return c, nil
}

// until waits for others, as long as there is nothing else to do: an office that
// this worker is given meanwhile may be what all are waiting for.
func (s *session) until(done <-chan struct{}) error {
	select {
	case <-done: // the usual case
		return nil
	default:
	}
	ticker := time.NewTicker(s.o.Job.Lease / 8)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-ticker.C:
			if v := s.view(); !slices.Equal(v.parts, s.acting.parts) || v.version != s.acting.version {
				return errBehind
			}
			if err := s.verify(); err != nil {
				return err
			}
		}
	}
}

// prefetch begins to fetch the changes that others make in a round.
func (s *session) prefetch(round int) {
	if s.fetches[round] != nil {
		return
	}
	step := s.rounds.step(round)
	var parts []int
	if s.o.Job.Summed {
		s.fetches[round] = s.o.Job.startFetch(s.ctx, round, []int{s.o.Job.all()})
		return
	}
	for part, span := range s.o.Spans {
		if s.own[round][part] == nil && s.o.Plan.Takes(span, step) {
			parts = append(parts, part)
		}
	}
	s.fetches[round] = s.o.Job.startFetch(s.ctx, round, parts)
}

// forget drops the changes that the model has, and with which it never goes back:
// beyond the staleness they are asked from the store again.
func (s *session) forget(version int) {
	for round := range s.own {
		if round <= version-s.o.Job.Staleness-1 {
			delete(s.own, round)
		}
	}
	for round := range s.fetches {
		if round <= version-s.o.Job.Staleness-1 {
			delete(s.fetches, round)
		}
	}
}

// barrier writes what a barrier consists of, as far as this worker has it, and
// says whether there was anything to do. Once a part is said to have reached it, the
// changes before may be deleted: so the model takes them first.
func (s *session) barrier(v *view) (worked bool, err error) {
	round := s.rounds.end(v.state.Until)
	if slices.ContainsFunc(s.parts, func(p *held) bool { return p.reached < round }) {
		worked = true
		if err := s.saveParts(v.state, round); err != nil {
			return s.again(err)
		}
		if v.state.Round >= 0 {
			if err := s.modelAt(v.state, s.versionFor(round+1)); err != nil {
				return s.again(err)
			}
		}
	}
	for _, slice := range v.slices {
		if last, ok := s.published[slice]; ok && last >= round {
			continue
		}
		worked = true
		if err := s.publish(v.state, slice, round); err != nil {
			return s.again(err)
		}
	}
	for _, p := range s.parts {
		if p.reached < round {
			if err := s.reach("p", p.number, "p", round); err != nil {
				return false, err
			}
			p.reached = round
		}
	}
	return worked, nil
}

// saveParts writes the topics of the parts, and their histograms if they are
// wanted.
func (s *session) saveParts(state *State, round int) error {
	j := s.o.Job
	for _, p := range s.parts {
		if p.saved >= round {
			continue
		}
		begin := time.Now()
		z := make([]uint32, p.part.Span().Tokens())
		p.part.Topics(z)
		if state.Round < 0 {
			blobs, err := countPart(s.ctx, p.words, z, s.cut, j.Topics, j.blobID(blob.Counts, round, p.number))
			if err != nil {
				return err
			}
			p.round = round
			if err := s.putFirst(round, p.number, blobs); err != nil {
				return err
			}
		}
		head := j.keys.part(p.number, "head")
		writes := []blobWrite{{head, j.keys.topics(p.number, round), round, encodeTopics(j.topicsID(p.number, round), z, j.Topics)}}
		if state.Histograms {
			h := &counts.Histograms{Topic: make([][]uint32, j.Topics)}
			p.part.AddDocs(h)
			writes = append(writes, blobWrite{head, j.keys.histograms(p.number, round), round, encodeHistograms(j.topicsID(p.number, round), h)})
		}
		s.spend(&s.report.Coding, begin)
		if err := s.background(func() error { return j.put(s.ctx, writes) }); err != nil {
			return err
		}
		p.saved = round
	}
	return s.flush()
}

// putFirst writes what a part has in each slice when the job begins.
func (s *session) putFirst(round, part int, blobs [][]byte) error {
	j := s.o.Job
	writes := make([]blobWrite, len(blobs))
	for i, b := range blobs {
		writes[i] = blobWrite{j.keys.slice(i, "head"), j.keys.first(i, part), round, b}
	}
	return s.background(func() error { return j.put(s.ctx, writes) })
}

// publish writes the rows of a slice at a barrier.
func (s *session) publish(state *State, slice, round int) error {
	j := s.o.Job
	id := j.blobID(blob.Counts, round, 0)(slice)
	var b []byte
	var err error
	if state.Round < 0 {
		b, err = s.firstRows(id, slice, round)
	} else {
		b, err = s.nextRows(state, id, slice, round)
	}
	if err != nil {
		return err
	}
	s.published[slice] = round
	return s.background(func() error {
		if err := j.put(s.ctx, []blobWrite{{j.keys.slice(slice, "head"), j.keys.rows(slice, round), round, b}}); err != nil {
			return err
		}
		return s.reach("s", slice, "s", round)
	})
}

// firstRows adds up what all parts have in a slice when the job begins.
func (s *session) firstRows(id blob.ID, slice, round int) ([]byte, error) {
	j := s.o.Job
	names := make([]string, j.Parts)
	for i := range names {
		names[i] = j.keys.first(slice, i)
	}
	blobs, err := j.store.Get(s.ctx, names...)
	if err != nil {
		return nil, err
	}
	decoders := make([]blob.Decoder, j.Parts)
	for i, b := range blobs {
		if b == nil {
			return nil, errBehind // not all are there: look again later
		}
		if decoders[i], err = blob.Open(b, j.blobID(blob.Counts, round, i)(slice)); err != nil {
			return nil, err
		}
	}
	var sum blob.Summer
	return sum.Apply(nil, id, nil, decoders)
}

// nextRows adds the changes that the model does not have yet to its rows.
func (s *session) nextRows(state *State, id blob.ID, slice, round int) ([]byte, error) {
	if err := s.modelAt(state, s.versionFor(round+1)); err != nil {
		return nil, err
	}
	rows := s.model.copySlice(slice)
	unused := make([]uint64, s.o.Job.Topics)
	for r := s.model.round + 1; r <= round; r++ {
		lists, err := s.others(r)
		if err != nil {
			return nil, err
		}
		var sources []source
		for _, list := range lists {
			if sources, err = list.open(sources, s.o.Job, slice); err != nil {
				return nil, err
			}
		}
		sum := &sliceRows{}
		if err := s.merger.merge(sum, rows, s.cut.words[slice], sources, 1, unused, nil); err != nil {
			return nil, err
		}
		rows = sum
	}
	return rows.encode(&s.encoders[slice], id, s.cut.words[slice]), nil
}
