package cluster

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

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
		if v.state.Round >= 0 && !s.o.Job.Apart {
			if err := s.modelAt(v.state, s.versionFor(round+1)); err != nil {
				return s.again(err)
			}
		}
	}
	for _, slice := range v.slices {
		if v.state.Round >= 0 && s.o.Job.Apart {
			break // whoever has a slice publishes its rows after every round
		}
		if last, ok := s.published[slice]; ok && last >= round {
			continue
		}
		worked = true
		if err := s.publish(v.state, slice, round); err != nil {
			return s.again(err)
		}
	}
	if worked {
		if err := s.flush(); err != nil {
			return false, err
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
		put, err := s.topicsOf(p, state, round)
		if err != nil {
			return err
		}
		head := j.keys.part(p.number, "head")
		var writes []blobWrite
		if state.Histograms {
			h, err := p.docs(j.Topics)
			if err != nil {
				return err
			}
			writes = append(writes, blobWrite{head, j.keys.histograms(p.number, round), round, blob.EncodeHistograms(j.partID(p.number, round), h)})
		}
		s.spend(&s.report.Coding, begin)
		err = s.background(func() error {
			if err := put(); err != nil {
				return err
			}
			return j.put(s.ctx, writes)
		})
		if err != nil {
			return err
		}
		p.saved = round
	}
	if state.Round < 0 {
		return s.flush() // what others, and this worker, need for the first rows
	}
	return nil
}

// docs counts the documents of a part: on its device, or here.
func (p *held) docs(topics int) (*counts.Histograms, error) {
	h, err := p.part.CountDocs()
	if h != nil || err != nil {
		return h, err
	}
	h = &counts.Histograms{Topic: make([][]uint32, topics)}
	if err := p.part.Fetch(); err != nil {
		return nil, err
	}
	p.part.AddDocs(h)
	return h, nil
}

// topicsOf returns what writes a part's topics at a barrier. At the first one, others are told what the part begins with.
func (s *session) topicsOf(p *held, state *State, round int) (put func() error, err error) {
	j := s.o.Job
	n, key := p.part.Span().Tokens(), j.topicsKey(p.number, round)
	if state.Round >= 0 {
		b, err := blob.EncodeNarrowTopics(j.partID(p.number, round), n, p.part.NarrowTopics)
		if b != nil || err != nil {
			return func() error { return j.putEncoded(s.ctx, p.number, round, key, b) }, err
		}
	}
	if err := p.part.Fetch(); err != nil {
		return nil, err
	}
	z := make([]uint32, n) // it is written beside the next part's
	p.part.Topics(z)
	put = func() error { return j.putTopics(s.ctx, p.number, round, key, z) }
	if state.Round >= 0 {
		return put, nil
	}
	blobs, err := rows.CountPart(s.ctx, p.words, z, s.cut, j.Topics, j.blobID(blob.Counts, round, p.number))
	if err != nil {
		return nil, err
	}
	p.round, p.told = round, round
	if err := s.putFirst(round, p.number, blobs); err != nil {
		return nil, err
	}
	return put, s.putTotals(p, z, round)
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
	writes := []blobWrite{{j.keys.slice(slice, "head"), j.keys.rows(slice, round), round, b}}
	if j.Apart { // the only barrier at which this function is asked
		if writes, err = s.earlier(writes, slice, round); err != nil {
			return err
		}
	}
	s.published[slice] = round
	return s.background(func() error {
		if err := j.put(s.ctx, writes); err != nil {
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
			return nil, damaged(names[i], err)
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
	if s.onDevice() {
		return s.deviceRows(id, slice, round)
	}
	own := s.model.CopySlice(slice)
	unused := make([]uint64, s.o.Job.Topics)
	for r := s.model.Round + 1; r <= round; r++ {
		lists, err := s.others(r)
		if err != nil {
			return nil, err
		}
		sources, err := openAll(lists, s.o.Job, slice)
		if err != nil {
			return nil, err
		}
		sum := &rows.Slice{}
		if err := s.merger.Merge(sum, own, s.cut.Words[slice], sources, 1, unused, nil); err != nil {
			return nil, err
		}
		own = sum
	}
	return own.Encode(&s.encoders[slice], id, s.cut.Words[slice]), nil
}
