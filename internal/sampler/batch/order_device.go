package batch

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// Topics are made and fetched in the order of the corpus, and drawn in another. A device that
// has room for a list of places beside the tokens makes both orders itself, and puts topics
// from one into the other: kernels/batch_order.cu. Else the CPU goes through the documents.

// blockStarts lists the first token and the first document of a load's blocks, and those after
// its last one, from the load's own on.
func (s *blocks) blockStarts(span sampler.Span) (list []uint32) {
	for _, b := range s.grid.Blocks[span.FirstBlock:span.LastBlock] {
		list = append(list, uint32(b.Begin-span.Begin), uint32(b.FirstDoc-span.FirstDoc))
	}
	return append(list, uint32(span.Tokens()), uint32(span.Docs()))
}

// order lets the device find the grid positions of a load in drawing order, as drawingOrder lists them.
func (s *batchOn) order(feed *device.Feed, span sampler.Span, positions *device.Buffer[uint32]) error {
	if span.Tokens() == 0 {
		return nil
	}
	a, d, blocks := s.on.device.NewArena(), s.on.device, span.LastBlock-span.FirstBlock
	docs := device.Alloc[uint16](a, span.Tokens())
	next, starts := device.Upload(a, s.offsetsFrom(span)), device.Upload(a, s.blockStarts(span))
	err := a.Err()
	if err == nil {
		err = device.FirstError(
			device.Push(feed, docs, s.grid.Docs[span.Begin:span.End], s.p.Threads),
			d.Launch("batch_order", "batch_order_positions", device.Shape{Blocks: min(blocks, 16*d.Processors()), Threads: draw32.Lanes},
				positions, docs, next, starts, uint32(blocks)))
	}
	return device.FirstError(err, a.Close())
}

// placesOf makes the list of places of the whole corpus, a load that stays: where each of its
// tokens is drawn.
func (s *batchOn) placesOf(whole sampler.Span, home *batchRoom) *device.Buffer[uint32] {
	return device.Keep(s.on.arena, placesKey(s.p, s.grid, whole), whole.Tokens(), func(b *device.Buffer[uint32]) error {
		a, d, n := s.on.device.NewArena(), s.on.device, whole.Tokens()
		words, starts := device.Alloc[uint32](a, n), device.Upload(a, s.blockStarts(whole))
		err := a.Err()
		if err == nil {
			err = device.FirstError(
				d.Launch("batch_order", "batch_order_words", device.Spread(d, n, 256, 0, 16), words, home.words, home.positions, uint32(n)),
				d.Launch("batch_order", "batch_order_places", device.Spread(d, draw32.Lanes*whole.Docs(), 256, 0, 16),
					b, home.words, home.positions, words, home.offsets, uint32(whole.Docs()), starts, uint32(whole.LastBlock-whole.FirstBlock)))
		}
		return device.FirstError(err, a.Close())
	})
}

func placesKey(p *sampler.Problem, g *grid.Grid, span sampler.Span) any {
	return p.Key(g).For("places", span.Begin, span.End)
}

// startOn sets the first topics of all tokens, z in the order of the corpus if there is one.
func (s *batchOn) startOn(z []uint32) error {
	n, d, key := s.p.N(), s.on.device, rng.NewKey(s.p.Seed)
	if z != nil {
		home := s.loads[0].home
		return device.FirstError(home.before.Upload(s.firstTopics(s.loads[0].Span, z)), s.copyTopics(false))
	}
	return d.Launch("batch_order", "batch_order_start", device.Spread(d, n/4+1, 256, 0, 16), s.loads[0].home.topics, s.places,
		uint32(n), uint32(s.p.K), key[0], key[1], uint32(sampler.ForStart))
}

// copyTopics copies the topics of all tokens between topics, in drawing order, and before,
// whose content only a mini-batch needs.
func (s *batchOn) copyTopics(toCorpus bool) error {
	n, d, home := s.p.N(), s.on.device, s.loads[0].home
	return d.Launch("batch_order", "batch_order_copy", device.Spread(d, n, 256, 0, 16), home.topics, home.before, s.places,
		uint32(n), device.Flag(toCorpus))
}

// fetchInOrder copies the topics of all tokens from the device, in the order of the corpus.
func (s *batchOn) fetchInOrder(z []uint16) error {
	feed := s.on.device.NewFeed()
	return device.FirstError(s.copyTopics(true), device.Pull(feed, s.loads[0].home.before, z, s.p.Threads), feed.Close())
}

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
			Members: load.Docs(), Limit: s.p.N(), Groups: s.on.groupsOf(load.FirstDoc, load.Docs()),
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
