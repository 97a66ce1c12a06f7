package sampler

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
)

// Statistics implements Counting.
func (s *batchOn) Statistics() (*counts.Histograms, error) {
	nk, d := make([]uint32, s.p.K), s.on.device
	err := d.Together(func() error {
		err := firstError(
			s.histograms.zero(),
			s.histograms.words.countTable(d.Main(), d.Processors(), s.on.nwk, s.p.V, s.on.pad, 0, s.p.K),
			s.on.frozen.Set(d.Main()),
		)
		for _, load := range s.loads {
			err = firstError(err, s.countDocsOf(load))
		}
		return err
	})
	if err := firstError(err, s.on.wait(), s.on.nk.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.read(nk)
}

// countDocsOf counts the rows of a load's documents.
func (s *batchOn) countDocsOf(load *batchLoad) error {
	return s.pass(load, wholeRun(load.Span), false, func(room *batchRoom, q *device.Queue) error {
		rows := statisticsRows{
			kernel: "16", tokens: room.topics, stride: 1, positions: room.offsets, direct: true, first: room.offsets,
			members: load.Docs(), limit: s.p.N(),
		}
		if !s.on.fixed {
			rows.scratch, rows.scratches = room.scratch, room.blocks
		}
		return s.histograms.docs.count(q, s.on.device.Processors(), s.p.K, rows)
	})
}

// Excerpt implements Counting.
func (s *batchOn) Excerpt(words []uint32) (*Excerpt, error) {
	return excerptOf(s.p, s.on.nk, words, s.p.K, s.rowsOf)
}

// rowsOf copies the rows of some words.
func (s *batchOn) rowsOf(words []uint32) ([]uint32, error) {
	table := make([]uint32, len(words)*s.p.K)
	a := s.on.device.NewArena()
	defer a.Close()
	list, rows := device.Upload(a, words), device.Alloc[uint32](a, len(table))
	if err := a.Err(); err != nil {
		return nil, err
	}
	return table, firstError(
		s.on.device.Launch("statistics", "statistics_pick", device.Shape{Blocks: min(len(words), 8*s.on.device.Processors()), Threads: 256},
			s.on.nwk, uint32(s.on.pad), list, uint32(len(words)), uint32(s.p.K), rows),
		rows.Download(table),
	)
}
