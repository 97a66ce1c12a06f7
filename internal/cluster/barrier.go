package cluster

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// barrier writes what a barrier, or a brief meeting, consists of, as far as this worker has it, and
// says whether there was anything to do. Once a part is said to have reached it, the
// changes before may be deleted: so the model takes them first.
func (s *session) barrier(v *view) (worked bool, err error) {
	round := s.rounds.End(v.state.Until)
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

// saveParts writes the topics of the parts at a barrier, and their histograms if they are
// wanted.
func (s *session) saveParts(state *protocol.State, round int) error {
	j := s.o.Job
	for _, p := range s.parts {
		if p.saved >= round {
			continue
		}
		begin := time.Now()
		if state.Round < 0 {
			p.round, p.told = round, round
			if err := s.tellFirst(p, round); err != nil {
				return err
			}
		}
		head := j.Key.Part(p.number, "head")
		var writes []protocol.Write
		if state.Histograms {
			h, err := p.docs(j.Topics)
			if err != nil {
				return err
			}
			writes = append(writes, protocol.Write{Head: head, Key: j.Key.Histograms(p.number, round), Round: round, Blob: blob.EncodeHistograms(j.PartID(p.number, round), h)})
		}
		s.spend(&s.report.Coding, begin)
		err := error(nil)
		if state.Brief {
			err = s.background(func() error { return j.Put(s.ctx, writes) })
		} else {
			err = s.saveTopics(p, state, round, writes)
		}
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

// saveTopics writes the topics of a part, and other things. To a file they go run by run, to the store beside what the
// worker does next.
func (s *session) saveTopics(p *held, state *protocol.State, round int, writes []protocol.Write) error {
	j := s.o.Job
	n, key := p.part.Span().Tokens(), j.TopicsKey(p.number, round)
	if state.Round >= 0 && j.Topics <= 1<<16 && (s.onDevice() || !protocol.IsFile(key)) {
		b, err := blob.EncodeNarrowTopics(j.PartID(p.number, round), n, p.part.NarrowTopics)
		if err != nil {
			return err
		}
		if b != nil {
			return s.background(func() error {
				if err := j.PutEncoded(s.ctx, p.number, round, key, b); err != nil {
					return err
				}
				return j.Put(s.ctx, writes)
			})
		}
	}
	if err := p.part.Fetch(); err != nil {
		return err
	}
	if protocol.IsFile(key) {
		if err := j.WriteTopics(p.number, round, key, n, p.part.EachTopics); err != nil {
			return err
		}
		return s.background(func() error { return j.Put(s.ctx, writes) })
	}
	z := make([]uint32, n)
	p.part.Topics(z)
	return s.background(func() error {
		if err := j.PutTopics(s.ctx, p.number, round, key, z); err != nil {
			return err
		}
		return j.Put(s.ctx, writes)
	})
}

// tellFirst writes what a part has in each slice when the job begins.
func (s *session) tellFirst(p *held, round int) error {
	j := s.o.Job
	id := j.BlobID(blob.Counts, round, p.number)
	put := func(slice int, b []byte) error {
		write := protocol.Write{Head: j.Key.Slice(slice, "head"), Key: j.Key.First(slice, p.number), Round: round, Blob: b}
		return s.background(func() error { return j.Put(s.ctx, []protocol.Write{write}) })
	}
	if err := p.part.Fetch(); err != nil {
		return err
	}
	if _, ok := p.part.OwnRow(nil, 0); ok {
		for slice := range j.Slices {
			if err := put(slice, s.ownRows(p, id(slice), slice)); err != nil {
				return err
			}
		}
		return s.putTotals(p, round)
	}
	words, err := s.o.Words(p.number)
	if err != nil {
		return err
	}
	z := make([]uint32, len(words))
	p.part.Topics(z)
	blobs, err := rows.CountPart(s.ctx, words, z, s.cut, j.Topics, id)
	if err != nil {
		return err
	}
	for slice, b := range blobs {
		if err := put(slice, b); err != nil {
			return err
		}
	}
	return s.putTotals(p, round)
}

// ownRows counts a part's own tokens of a slice.
func (s *session) ownRows(p *held, id blob.ID, slice int) []byte {
	lo, hi := p.placesIn(s.cut, slice)
	words := p.part.Words()
	var row []counts.Entry
	e := &s.encoders[0]
	e.Begin(nil, id)
	for i := lo; i < hi; i++ {
		row, _ = p.part.OwnRow(row[:0], i)
		e.Counts(words[i], row)
	}
	return e.Finish()
}

// publish writes the rows of a slice at a barrier, and their statistics if they are wanted.
func (s *session) publish(state *protocol.State, slice, round int) error {
	j := s.o.Job
	id := j.BlobID(blob.Counts, round, 0)(slice)
	var b []byte
	var err error
	sums := rows.NewStatistics(j.Topics)
	if state.Round < 0 {
		b, err = s.firstRows(id, slice, round)
	} else {
		b, err = s.nextRows(state, id, slice, round, sums)
	}
	if err != nil {
		return err
	}
	head, writes := j.Key.Slice(slice, "head"), []protocol.Write(nil)
	if !state.Brief {
		writes = append(writes, protocol.Write{Head: head, Key: j.Key.Rows(slice, round), Round: round, Blob: b})
	}
	if state.Histograms && !j.Apart {
		b := blob.EncodeStatistics(j.BlobID(blob.Statistics, round, 0)(slice), sums.Totals, sums.Counted)
		writes = append(writes, protocol.Write{Head: head, Key: j.Key.Statistics(slice, round), Round: round, Blob: b})
	}
	if j.Apart { // the only barrier at which this function is asked
		if writes, err = s.earlier(writes, slice, round); err != nil {
			return err
		}
	}
	s.published[slice] = round
	return s.background(func() error {
		if err := j.Put(s.ctx, writes); err != nil {
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
		names[i] = j.Key.First(slice, i)
	}
	blobs, err := j.Store.Get(s.ctx, names...)
	if err != nil {
		return nil, err
	}
	decoders := make([]blob.Decoder, j.Parts)
	for i, b := range blobs {
		if b == nil {
			return nil, errBehind // not all are there: look again later
		}
		if decoders[i], err = blob.Open(b, j.BlobID(blob.Counts, round, i)(slice)); err != nil {
			return nil, protocol.Damaged(names[i], err)
		}
	}
	var sum blob.Summer
	return sum.Apply(nil, id, nil, decoders)
}

// nextRows encodes the rows of a slice with the changes that the model does not have yet, for a barrier, and counts them if
// statistics are wanted.
func (s *session) nextRows(state *protocol.State, id blob.ID, slice, round int, sums *rows.Statistics) ([]byte, error) {
	if err := s.modelAt(state, s.versionFor(round+1)); err != nil {
		return nil, err
	}
	if s.onDevice() {
		b, err := s.deviceRows(id, slice, round)
		if err != nil || !state.Histograms {
			return b, err
		}
		return b, sums.AddBlob(b, id)
	}
	var lists []*roundChanges
	for r := s.model.Round + 1; r <= round; r++ {
		others, err := s.others(r)
		if err != nil {
			return nil, err
		}
		lists = append(lists, others...)
	}
	sources, err := openAll(lists, s.o.Job, slice)
	if err != nil {
		return nil, err
	}
	e := &s.encoders[slice]
	e.Begin(nil, id)
	err = s.merger.Each(s.model, slice, sources, func(w uint32, row []counts.Entry) {
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
