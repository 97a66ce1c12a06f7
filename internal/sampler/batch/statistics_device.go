package batch

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Statistics is for sampler.Capabilities.
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
	return s.pass(load, wholeLoad(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		rows := sampler.StatisticsRows{
			Kernel: "16", Tokens: room.topics, Stride: 1, Positions: room.offsets, Direct: true, First: room.offsets,
			Members: load.Docs(), Limit: s.p.N(),
		}
		if !s.on.fixed {
			rows.Scratch, rows.Scratches = room.scratch, room.blocks
		}
		return s.histograms.Docs.Count(q, s.on.device.Processors(), s.p.K, rows)
	})
}

// Excerpt is for sampler.Capabilities.
func (s *batchOn) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	return sampler.ExcerptOf(s.p, s.on.nk, words, s.p.K, func(words []uint32) ([]uint32, error) {
		return sampler.PickRows(s.on.device, s.histograms, s.on.nwk, s.on.pad, words, s.p.K)
	})
}
