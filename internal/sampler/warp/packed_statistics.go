package warp

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

func (s *warpPacked) Capabilities() sampler.Capabilities {
	can := sampler.Capabilities{Settle: s.device.Wait}
	if s.p.Pseudo == nil { // the host adds pseudo-counts
		can.Statistics, can.Excerpt = s.Statistics, s.Excerpt
	}
	return can
}

func (s *warpPacked) Statistics() (*counts.Histograms, error) {
	k, nk := uint32(s.p.K), make([]uint32, s.p.K)
	docs, words := s.histograms.Docs.Args(), s.histograms.Words.Args()
	long := device.Shape{
		Threads: 128, Shared: 4 * (sampler.StatisticsNear + s.p.K),
		Blocks: min(s.long.list.n, 16*s.device.Processors()),
	}
	err := s.device.Together(func() error {
		return device.FirstError(
			s.histograms.Zero(),
			s.eachLoad(s.docs, func(load *warpPackedLoad, on *device.Buffer[uint32]) error {
				if s.hashed {
					shape := long
					shape.Blocks = min(load.groups, 16*s.device.Processors())
					return s.launch("statistics", "count_heads", "", shape, s.state, load.list(on, packedPlaces),
						load.list(on, packedGroups), uint32(load.groups), k, docs)
				}
				return s.launch("statistics", "count_docs", "", s.countShape(load, s.docRows), s.state,
					load.list(on, packedPlaces),
					load.list(on, packedGroups), uint32(load.groups), load.list(on, packedShares), uint32(s.docRows), k,
					docs)
			}),
			s.launch("statistics", "count_long", "", long, s.state, s.long.byDoc, s.long.ends, uint32(s.long.list.n), k,
				docs),
			s.eachLoad(s.words, func(load *warpPackedLoad, on *device.Buffer[uint32]) error {
				return s.launch("statistics", "count_words", "", s.countShape(load, s.wordRows), s.state,
					s.runs(load, on),
					load.list(on, packedGroups), uint32(load.groups), uint32(s.wordRows), k, words)
			}),
			s.countHot(s.hot.partOn, s.hot.rows),
			s.histograms.Words.CountTable(s.device.Main(), s.device.Processors(), s.hot.rows, len(s.hot.words), s.p.K+1,
				1, s.p.K),
		)
	})
	if err := device.FirstError(err, s.nkOn.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.Read(nk)
}

// countShape is the shape of a launch that counts the rows of a load's groups.
func (s *warpPacked) countShape(load *warpPackedLoad, rows int) device.Shape {
	return s.groupShape(load, 4*(sampler.StatisticsNear+rows*((s.p.K+7)/8*4)))
}

func (s *warpPacked) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	return sampler.ExcerptOf(s.p, s.nkOn, words, s.p.K+1, s.rowsOf)
}

// rowsOf counts the rows of some words, K+1 numbers each.
func (s *warpPacked) rowsOf(words []uint32) ([]uint32, error) {
	row := make([]uint32, s.p.V) // 1 + the word's number in words, 0 if it is not there
	for i, w := range words {
		row[w] = uint32(i) + 1
	}
	var items []uint32
	for i, w := range s.hot.words {
		if row[w] > 0 {
			items = grouping.AppendParts(items, row[w]-1, s.hot.spans[i][0], s.hot.spans[i][1], s.limits.part)
		}
	}
	a := s.device.NewArena()
	defer a.Close()
	table, err := s.histograms.Room(len(words) * (s.p.K + 1))
	rows, rowOf, parts := device.Alloc[uint32](a, len(table)), device.Alloc[uint32](a, s.p.V), newWarpList(a, items, 3)
	if err := device.FirstError(err, a.Err()); err != nil {
		return nil, err
	}
	err = device.FirstError(s.countHot(parts, rows), s.eachLoad(s.words,
		func(load *warpPackedLoad, on *device.Buffer[uint32]) error {
			of := make([]uint32, len(load.words))
			for i, w := range load.words {
				of[i] = row[w]
			}
			if !slices.ContainsFunc(of, func(row uint32) bool { return row > 0 }) {
				return nil
			}
			return device.FirstError(rowOf.Upload(of), s.launch("statistics", "rows", "",
				s.countShape(load, s.wordRows),
				s.state, s.runs(load, on), load.list(on, packedGroups),
				uint32(load.groups), uint32(s.wordRows), uint32(s.p.K), rowOf, rows))
		}))
	return table, device.FirstError(err, rows.Download(table))
}
