package batch

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Fetch implements Remote. Statistics and Excerpt ask the device; all other methods of this file read what Fetch has
// copied.
func (s *batchOn) Fetch() error {
	if s.z == nil || s.lent {
		s.z, s.lent = make([]uint16, s.p.N()), false
	}
	if s.nwk == nil {
		s.nwk = make([]uint32, s.p.V*s.on.pad)
	}
	if err := s.fetchTopics(); err != nil {
		return err
	}
	return device.FirstError(s.on.nwk.Download(s.nwk), s.on.nk.Download(s.nk))
}

// fetchTopics brings z from the device.
func (s *batchOn) fetchTopics() error {
	if s.places != nil {
		feed, home := s.on.device.NewFeed(), s.loads[0].home
		err := s.on.copyTopics(home, s.places, true)
		return device.FirstError(err, device.Pull(feed, home.before, s.z, s.p.Threads), feed.Close())
	}
	for _, load := range s.loads {
		if err := load.kept().GetInto(s.z[load.Begin:load.End]); err != nil {
			return err
		}
	}
	return nil
}

func (s *batchOn) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{
		NarrowTopics: s.NarrowTopics, LendTopics: s.LendTopics, Statistics: s.Statistics,
		Excerpt: s.Excerpt,
	}
}

func (s *batchOn) LendTopics() []uint16 {
	if s.places == nil {
		return nil
	}
	s.lent = true
	return s.z
}

func (s *batchOn) Topics(z []uint32) {
	s.eachFetched(func(first, last int) {
		for i := first; i < last; i++ {
			z[i] = uint32(s.z[i])
		}
	}, func(corpus, drawn int) { z[corpus] = uint32(s.z[drawn]) })
}

func (s *batchOn) NarrowTopics(z []uint16) {
	s.eachFetched(func(first, last int) { copy(z[first:last], s.z[first:]) }, func(corpus, drawn int) { z[corpus] = s.z[drawn] })
}

// eachFetched tells the places of all tokens in the corpus and in z, as eachDrawn does.
func (s *batchOn) eachFetched(same func(first, last int), other func(corpus, drawn int)) {
	if s.places != nil {
		parallel.Runs(s.p.Threads, s.p.N(), same)
		return
	}
	for _, load := range s.loads {
		s.eachDrawn(load.Span, same, other)
	}
}

func (s *batchOn) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	for k, n := range s.nwk[w*s.on.pad : w*s.on.pad+s.p.K] {
		if n > 0 {
			dst = append(dst, counts.Entry{Topic: uint32(k), Count: n})
		}
	}
	return dst
}

func (s *batchOn) TopicTotals() []uint64 {
	totals := make([]uint64, s.p.K)
	for k, n := range s.nk {
		totals[k] = uint64(n)
	}
	return totals
}

// Histograms implements Sampler; Statistics counts on the device.
func (s *batchOn) Histograms() *counts.Histograms {
	here, z := makeBatch(s.p), make([]uint32, s.p.N())
	s.Topics(z)
	here.setTopics(z, nil)
	here.Recount()
	return here.Histograms()
}

func (s *batchOn) Statistics() (*counts.Histograms, error) {
	nk, d := make([]uint32, s.p.K), s.on.device
	err := d.Together(func() error {
		err := device.FirstError(
			s.histograms.Zero(),
			s.histograms.Words.CountTable(d.Main(), d.Processors(), s.on.nwk, s.p.V, s.on.pad, 0, s.p.K),
			s.on.frozen.Set(d.Main()),
		)
		for _, load := range s.loads {
			err = device.FirstError(err, s.countDocsOf(load))
		}
		return err
	})
	if err := device.FirstError(err, s.on.wait(), s.on.nk.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.Read(nk)
}

// countDocsOf counts the rows of a load's documents.
func (s *batchOn) countDocsOf(load *batchLoad) error {
	return s.on.pass(load, wholeLoad(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		rows := sampler.StatisticsRows{
			Kernel: "16", Tokens: room.topics, Stride: 1, Positions: room.offsets, Direct: true, First: room.offsets,
			Members: load.Docs(), Limit: s.p.N(), Groups: s.on.groupsOf(load.FirstDoc, load.Docs()),
		}
		if !s.on.fixed {
			rows.Scratch, rows.Scratches = room.scratch, room.blocks
		}
		return s.histograms.Docs.Count(q, s.on.device.Processors(), s.p.K, rows)
	})
}

func (s *batchOn) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	return sampler.ExcerptOf(s.p, s.on.nk, words, s.p.K, func(words []uint32) ([]uint32, error) {
		return sampler.PickRows(s.on.device, s.histograms, s.on.nwk, s.on.pad, words, s.p.K)
	})
}
