package warp

import (
	"context"
	"sync"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// send copies topics in corpus order to the device.
func (s *warpOn[T]) send(z []uint32) error {
	feed := s.device.NewFeed()
	return device.FirstError(device.Pour(feed, s.compact, device.EvenPieces[T](len(z)),
		func(first, last int, piece []T) {
			parallel.Runs(s.p.Threads, last-first, func(from, to int) {
				for i, k := range z[first+from : first+to] {
					piece[from+i] = T(k)
				}
			})
		}), s.copyTopics(true), feed.Close())
}

// copyTopics copies topics between state and compact.
func (s *warpOn[T]) copyTopics(toState bool) error {
	return s.launch("topics", device.Spread(s.device, s.p.N(), 256, 0, 16), s.name(false),
		s.state, s.layout(), s.byDoc, device.Flag(false), s.compact, uint32(s.p.N()), device.Flag(toState))
}

func (s *warpOn[T]) Fetch() error {
	f, feed := &s.fetched, s.device.NewFeed()
	if f.z == nil || f.lent {
		f.z, f.lent = make([]T, s.p.N()), false
	}
	f.set = new(sync.Once)
	return device.FirstError(s.copyTopics(false), device.Pull(feed, s.compact, f.z, s.p.Threads), feed.Close(),
		fetchTotals(s.nkOn, s.nk))
}

func (s *warpOn[T]) LendTopics() []uint16 {
	z, _ := any(s.fetched.z).([]uint16)
	s.fetched.lent = z != nil
	return z
}

func (s *warpOn[T]) Topics(z []uint32) {
	parallel.Runs(s.p.Threads, len(z), func(first, last int) {
		for i, k := range s.fetched.z[first:last] {
			z[first+i] = uint32(k)
		}
	})
}

func (s *warpOn[T]) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	s.fetched.set.Do(s.setTokens)
	return s.warp.AppendRow(dst, w)
}

// Histograms implements Sampler; Statistics counts on the device.
func (s *warpOn[T]) Histograms() *counts.Histograms {
	s.fetched.set.Do(s.setTokens)
	return s.warp.Histograms()
}

// setTokens copies the fetched topics into the embedded warp.
func (s *warpOn[T]) setTokens() {
	_ = parallel.Do(context.Background(), s.p.Threads, len(s.blocks), func(_, b int) {
		for i, k := range s.fetched.z[s.blocks[b].Begin:s.blocks[b].End] {
			s.tokens.Set(b, s.Place(b, i), uint32(k))
		}
	})
}

func (s *warpOn[T]) Start(z []uint32, _ *sampler.Priors) error {
	s.proposed = 0
	if z != nil {
		if err := s.send(z); err != nil {
			return err
		}
	} else if err := s.launch("start", device.Spread(s.device, s.p.N()/4+1, 256, 0, 16), s.name(false),
		s.state, s.layout(), s.byDoc, uint32(s.p.N()), warpScalars(s.p, 0, sampler.ForStart)); err != nil {
		return err
	}
	if err := s.nkOn.Zero(); err != nil {
		return err
	}
	shared := 4 * s.p.K
	if s.far {
		shared = 0
	}
	if err := s.launch("totals", device.Spread(s.device, s.p.N(), 256, shared, 8), s.rowName(),
		s.state, s.layout(), uint32(s.p.N()), s.nkOn, uint32(s.p.K)); err != nil {
		return err
	}
	return s.device.Wait()
}

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
			s.hot.each(func(words int, parts warpList, rows *device.Buffer[uint32]) error {
				return device.FirstError(s.countParts(parts, rows),
					s.histograms.Words.CountTable(q, processors, rows, words, s.p.K+1, 1, s.p.K))
			}),
		)
	})
	if err := device.FirstError(err, s.nkOn.Download(nk)); err != nil {
		return nil, err
	}
	return s.histograms.Read(nk)
}

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
