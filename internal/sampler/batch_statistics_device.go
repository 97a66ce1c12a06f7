package sampler

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
)

// Statistics implements Counting.
func (s *batchOn) Statistics() (*counts.Histograms, error) {
	nk := make([]uint32, s.p.K)
	err := s.device.Together(func() error {
		err := firstError(
			s.histograms.zero(),
			s.histograms.words.countTable(s.device.Main(), s.device.Processors(), s.nwkOn, s.p.V, s.pad, 0, s.p.K),
			s.frozen.Set(s.device.Main()),
		)
		for _, load := range s.loads {
			err = firstError(err, s.countDocsOf(load))
		}
		return err
	})
	if err := firstError(err, s.wait(), s.nkOn.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.read(nk)
}

// countDocsOf counts the rows of a load's documents.
func (s *batchOn) countDocsOf(load *batchLoad) error {
	t, err := s.arrive(load, 0, load.Tokens())
	if err != nil {
		return err
	}
	rows := statisticsRows{
		kernel: "16", tokens: t.topics, stride: 1, positions: t.offsets, direct: true, first: t.offsets,
		members: load.LastDoc - load.FirstDoc, limit: s.p.N(),
	}
	if !s.fixed() {
		rows.scratch, rows.scratches = t.scratch, t.blocks
	}
	return firstError(
		t.queue.After(s.frozen),
		s.histograms.docs.count(t.queue, s.device.Processors(), s.p.K, rows),
		t.done.Set(t.queue),
	)
}

// Excerpt implements Counting.
func (s *batchOn) Excerpt(words []uint32) (*Excerpt, error) {
	return excerptOf(s.p, s.nkOn, words, s.p.K, s.rowsOf)
}

// rowsOf copies the rows of some words.
func (s *batchOn) rowsOf(words []uint32) ([]uint32, error) {
	table := make([]uint32, len(words)*s.p.K)
	list, err := device.From(s.device, words)
	if err != nil {
		return nil, err
	}
	defer list.Free()
	rows, err := device.New[uint32](s.device, len(table))
	if err != nil {
		return nil, err
	}
	defer rows.Free()
	return table, firstError(
		s.device.Launch("statistics", "statistics_pick", device.Shape{Blocks: min(len(words), 8*s.device.Processors()), Threads: 256},
			s.nwkOn, uint32(s.pad), list, uint32(len(words)), uint32(s.p.K), rows),
		rows.Download(table),
	)
}
