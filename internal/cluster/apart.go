package cluster

import (
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file is what a worker does in place of versions.go where rows are apart: it waits for n_k of
// a version, and lets its parts fetch the rows slice by slice.

// rowsAt waits until all parts have told n_k after a version's round. Its rows may still be on their way: those of a slice are
// waited for when a part comes to it (see feed.await).
func (s *session) rowsAt(version int) error {
	if s.feed != nil && s.feed.version == version {
		s.feed.acting = s.acting
		return nil
	}
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	j := s.o.Job
	names := make([]string, j.Parts)
	number := map[string]int{}
	for i := range names {
		names[i] = j.Key.Totals(i, version)
		number[names[i]] = i
	}
	for pause := protocol.NewPause(); ; {
		absent, err := j.Store.Missing(s.ctx, names...)
		if err != nil {
			return err
		}
		if names = absent; len(absent) == 0 {
			break
		}
		awaited := make([]int, len(absent))
		for i, name := range absent {
			awaited[i] = number[name]
		}
		s.waitFor("p", awaited)
		if err := s.still(s.acting, version, absent[0]); err != nil {
			return err
		}
		if err := pause.Wait(s.ctx); err != nil {
			return err
		}
	}
	totals, err := s.totalsAt(version)
	if err != nil {
		return err
	}
	s.feed = newFeed(s, version, totals)
	return nil
}

// totalsAt is n_k after a round, which its parts and its slices may both ask for.
func (s *session) totalsAt(round int) ([]uint64, error) {
	s.adding.Lock()
	defer s.adding.Unlock()
	if s.totals == nil || s.totalsOf != round {
		totals, err := s.o.Job.TotalsAt(s.ctx, round)
		if err != nil {
			return nil, err
		}
		s.totals, s.totalsOf = totals, round
	}
	return s.totals, nil
}

// still says what is wrong with waiting longer for a key of a version, if anything. An office that this worker is given
// meanwhile may be what all are waiting for.
func (s *session) still(acting *view, version int, key string) error {
	if version <= acting.state.Round {
		return protocol.Missing(key) // it belongs to the last barrier
	}
	if v := s.view(); !slices.Equal(v.parts, acting.parts) || v.version != acting.version {
		return errBehind
	}
	return s.verify()
}

// tokenTotals counts n_k of a part's tokens.
func (p *held) tokenTotals(topics int) []uint64 {
	totals := make([]uint64, topics)
	_ = p.part.EachTopics(func(z []uint32) error {
		for _, k := range z {
			totals[k]++
		}
		return nil
	})
	return totals
}

// putTotals counts n_k of a part when the job begins, and writes it for this and, in a job that
// goes on from a checkpoint with staleness, for the rounds before that others still see.
func (s *session) putTotals(p *held, round int) error {
	j := s.o.Job
	if !j.Apart {
		return nil
	}
	p.totals = p.tokenTotals(j.Topics)
	if j.From == 0 {
		p.recentTo = round // nothing was changed before
		return s.background(func() error { return j.Put(s.ctx, []protocol.Write{j.TotalsWrite(p.number, round, p.totals)}) })
	}
	if err := s.recall(p); err != nil {
		return err
	}
	writes := []protocol.Write{j.TotalsWrite(p.number, round, p.totals)}
	totals := slices.Clone(p.totals)
	for i, own := range slices.Backward(p.recent) {
		for k, n := range own.Totals {
			totals[k] -= n
		}
		writes = append(writes, j.TotalsWrite(p.number, round-len(p.recent)+i, totals))
	}
	return s.background(func() error { return j.Put(s.ctx, writes) })
}

// earlier appends the rows of a slice before those that writes begins with, as many versions as
// others still see of a job that goes on from a checkpoint.
func (s *session) earlier(writes []protocol.Write, slice, round int) ([]protocol.Write, error) {
	j := s.o.Job
	first := max(round-j.Staleness, 0)
	if j.From == 0 || first == round {
		return writes, nil
	}
	var now rows.Apart
	d, err := blob.Open(writes[0].Blob, j.BlobID(blob.Counts, round, 0)(slice))
	if err != nil {
		return nil, err
	}
	words := s.cut.Words[slice]
	if err := now.Read(words, &d); err != nil {
		return nil, err
	}
	for r := round; r > first; r-- {
		sources, err := s.changesOf(slice, r)
		if err != nil {
			return nil, err
		}
		if err := now.Add(&s.merger, words, sources, -1); err != nil {
			return nil, err
		}
		b := now.Encode(&s.encoders[slice], j.BlobID(blob.Counts, r-1, 0)(slice), words)
		writes = append(writes, protocol.Write{Head: writes[0].Head, Key: j.Key.Rows(slice, r-1), Round: r - 1, Blob: b})
	}
	return writes, nil
}

// changesOf fetches what all parts told of a slice in a round, which must be there.
func (s *session) changesOf(slice, round int) ([]rows.Source, error) {
	j := s.o.Job
	parts := s.takers(round)
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = j.Key.Changes(slice, round, part)
	}
	blobs, err := j.Store.Get(s.ctx, names...)
	if err == nil {
		err = protocol.FirstMissing(names, blobs)
	}
	if err != nil {
		return nil, err
	}
	sources := make([]rows.Source, len(parts))
	for i, part := range parts {
		if sources[i].Decoder, err = blob.Open(blobs[i], j.BlobID(blob.Changes, round, part)(slice)); err != nil {
			return nil, protocol.Damaged(names[i], err)
		}
	}
	return sources, nil
}

// takers are the parts that have something to do in a round. Any goroutine may ask.
func (s *session) takers(round int) (parts []int) {
	step := (&protocol.Rounds{Plan: s.o.Plan}).Step(round)
	for part, span := range s.o.Spans {
		if s.o.Plan.Takes(span, step) {
			parts = append(parts, part)
		}
	}
	return parts
}

// seenApart returns what a part sees in its next round: the rows of a version, with its own changes
// since, opened slice by slice; for a device, all of them.
func (s *session) seenApart(p *held) (*sampler.Frozen, error) {
	if s.o.Job.Staleness > 0 {
		if err := s.recall(p); err != nil {
			return nil, err
		}
	}
	v := &apartView{feed: s.feed, part: p, totals: s.feed.totals}
	if len(p.recent) > 0 {
		v.totals = slices.Clone(v.totals)
	}
	for _, own := range p.recent {
		addTo(v.totals, own.Totals)
	}
	if s.o.Plan.On != nil {
		return v.whole()
	}
	return v.frozen(), nil
}
