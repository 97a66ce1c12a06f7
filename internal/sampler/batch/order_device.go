package batch

import (
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
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
func (s *blocks) order(d *device.Device, feed *device.Feed, span sampler.Span, positions *device.Buffer[uint32]) error {
	if span.Tokens() == 0 {
		return nil
	}
	a, blocks := d.NewArena(), span.LastBlock-span.FirstBlock
	docs := device.Alloc[uint16](a, span.Tokens())
	next, starts := device.Upload(a, s.offsetsFrom(span)), device.Upload(a, s.blockStarts(span))
	err := a.Err()
	if err == nil {
		err = device.FirstError(
			device.Push(feed, docs, s.grid.Docs[span.Begin:span.End], s.p.Threads),
			d.Launch("batch_order", "batch_order_positions",
				device.Shape{Blocks: min(blocks, 16*d.Processors()), Threads: draw32.Lanes},
				positions, docs, next, starts, uint32(blocks)))
	}
	return device.FirstError(err, a.Close())
}

// placesOf makes the list of places of the whole corpus, a load that stays: where each of its tokens is drawn.
func (on *batchShared) placesOf(s *blocks, whole sampler.Span, home *batchRoom) *device.Buffer[uint32] {
	return device.Keep(on.arena, placesKey(s.p, s.grid, whole), whole.Tokens(), func(b *device.Buffer[uint32]) error {
		a, d, n := on.device.NewArena(), on.device, whole.Tokens()
		words, starts := device.Alloc[uint32](a, n), device.Upload(a, s.blockStarts(whole))
		err := a.Err()
		if err == nil {
			err = device.FirstError(
				d.Launch("batch_order", "batch_order_words", device.Spread(d, n, 256, 0, 16), words, home.words,
					home.positions, uint32(n)),
				d.Launch("batch_order", "batch_order_places", device.Spread(d, draw32.Lanes*whole.Docs(), 256, 0, 16),
					b, home.words, home.positions, words, home.offsets, uint32(whole.Docs()), starts,
					uint32(whole.LastBlock-whole.FirstBlock)))
		}
		return device.FirstError(err, a.Close())
	})
}

func placesKey(p *sampler.Problem, g *grid.Grid, span sampler.Span) any {
	return p.Key(g).For("places", span.Begin, span.End)
}

// copyTopics copies the topics of all tokens between topics, in drawing order, and before,
// whose content only a mini-batch needs.
func (s *batchShared) copyTopics(home *batchRoom, places *device.Buffer[uint32], toCorpus bool) error {
	n, d := s.p.N(), s.device
	return d.Launch("batch_order", "batch_order_copy", device.Spread(d, n, 256, 0, 16), home.topics, home.before,
		places,
		uint32(n), device.Flag(toCorpus))
}
