package warp

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// Statistics is for sampler.Capabilities.
func (s *warpOn[T]) Statistics() (*counts.Histograms, error) {
	rows := sampler.StatisticsRows{Kernel: "16", Tokens: s.state, Stride: s.stride()}
	if s.p.K > 1<<16 {
		rows.Kernel = "32"
	}
	if s.far {
		rows.Scratch, rows.Scratches = s.scratch, s.scratches
	}
	docs, words := rows, rows
	docs.Positions, docs.First, docs.Members, docs.Limit = s.byDoc, s.offsets, s.p.D(), s.p.N()
	words.Positions, words.First, words.Members, words.Limit = s.byWord, s.firstOf, s.p.V, s.hotLimit()
	nk, processors, q := make([]uint32, s.p.K), s.device.Processors(), s.device.Main()
	err := s.device.Together(func() error {
		return device.FirstError(
			s.histograms.Zero(),
			s.histograms.Docs.Count(q, processors, s.p.K, docs),
			s.histograms.Words.Count(q, processors, s.p.K, words),
			s.countParts(s.hotParts, s.hotRows),
			s.histograms.Words.CountTable(q, processors, s.hotRows, s.hotCount, s.p.K+1, 1, s.p.K),
		)
	})
	if err := device.FirstError(err, s.nkOn.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.Read(nk)
}

// Excerpt is for sampler.Capabilities.
func (s *warpOn[T]) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	return sampler.ExcerptOf(s.p, s.nkOn, words, s.p.K+1, s.rowsOf)
}

// rowsOf counts the rows of some words, K+1 numbers each.
func (s *warpOn[T]) rowsOf(words []uint32) ([]uint32, error) {
	var items []uint32
	for i, w := range words {
		items = grouping.AppendParts(items, uint32(i), s.firstToken[w], s.firstToken[w+1], s.limits.part)
	}
	a := s.device.NewArena()
	defer a.Close()
	table, err := s.histograms.Room(len(words) * (s.p.K + 1))
	rows, parts := device.Alloc[uint32](a, len(table)), newWarpList(a, items, 3)
	if err := device.FirstError(err, a.Err()); err != nil || parts.n == 0 {
		clear(table)
		return table, err
	}
	return table, device.FirstError(s.countParts(parts, rows), rows.Download(table))
}

func (s *warpOn[T]) Capabilities() sampler.Capabilities {
	can := sampler.Capabilities{Settle: s.device.Wait, LendTopics: s.LendTopics}
	if s.p.Pseudo == nil { // the host adds pseudo-counts
		can.Statistics, can.Excerpt = s.Statistics, s.Excerpt
	}
	return can
}
