package batch

import (
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Topics are made and fetched in the order of the corpus, and drawn in another. The CPU
// goes through the documents for that, at the beginning and the end of every run. Where
// more than one run has the device, it keeps a list of places beside the tokens and does it
// itself: kernels/batch_order.cu.

// placesPiece is how many tokens' places are made at once, to bound the memory of the host;
// tests make it smaller.
var placesPiece = 1 << 26

// placesOf makes the list of places of the whole corpus, a load that stays: where each of its
// tokens is drawn.
func (s *batchOn) placesOf(whole sampler.Span) *device.Buffer[uint32] {
	return device.Keep(s.on.arena, s.placesKey(whole), whole.Tokens(), func(b *device.Buffer[uint32]) error {
		for _, piece := range sampler.CutBlocks(s.grid.Blocks, 0, placesPiece) {
			places := make([]uint32, piece.Tokens())
			s.eachDrawn(piece, func(first, last int) {
				for i := first; i < last; i++ {
					places[i-piece.Begin] = uint32(i)
				}
			}, func(corpus, drawn int) { places[corpus-piece.Begin] = uint32(drawn) })
			if err := b.View(piece.Begin, piece.End).Upload(places); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *batchOn) placesKey(span sampler.Span) any {
	return s.p.Key(s.grid).For("places", span.Begin, span.End)
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
	return device.FirstError(s.copyTopics(true), s.on.wait(), s.loads[0].home.before.Download(z))
}
