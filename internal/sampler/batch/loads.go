package batch

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// batchLoad is a run of whole blocks of the corpus as the device takes it. A document's
// tokens are sorted by word in the corpus and in the grid, so the token in a place of the
// drawing order has the word in the same place of the corpus.
type batchLoad struct {
	sampler.Span
	home  *batchRoom // where the tokens stay; nil if they pass through a slot
	stage batchStage // of a load that does not stay
}

// drawingOrder lists the grid positions of a load's tokens in drawing order, from its first token's.
func (s *blocks) drawingOrder(load sampler.Span, order []uint32) {
	_ = parallel.Do(context.Background(), s.p.Threads, load.LastBlock-load.FirstBlock, func(_, i int) {
		b := s.grid.Blocks[load.FirstBlock+i]
		next := slices.Clone(s.p.Offsets[b.FirstDoc:b.LastDoc])
		for j, d := range s.grid.Docs[b.Begin:b.End] {
			order[int(next[d])-load.Begin] = uint32(b.Begin + j - load.Begin)
			next[d]++
		}
	})
}

// eachDrawn tells the places of a load's tokens in corpus order and in drawing order, as
// grid.Walker.ByDocument does, from several goroutines.
func (s *blocks) eachDrawn(load sampler.Span, same func(first, last int), other func(corpus, drawn int)) {
	walkers := make([]*grid.Walker, s.p.Threads)
	_ = parallel.Do(context.Background(), s.p.Threads, load.LastBlock-load.FirstBlock, func(thread, i int) {
		if walkers[thread] == nil {
			walkers[thread] = grid.NewWalker(s.p.V)
		}
		walkers[thread].ByDocument(s.grid, s.grid.Blocks[load.FirstBlock+i], s.p.Offsets, s.p.Words, same, other)
	})
}

// gather copies topics of a load's tokens in drawing order.
func (s *tokens) gather(topics []uint16, order []uint32, begin int) {
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		for i := first; i < last; i++ {
			topics[i] = s.z[begin+int(order[i])]
		}
	})
}

// scatter copies topics of a load's tokens to the state.
func (s *tokens) scatter(topics []uint16, order []uint32, begin int) {
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		for i := first; i < last; i++ {
			s.z[begin+int(order[i])] = topics[i]
		}
	})
}

// fill puts what never changes of a load where it is sent from.
func (load *batchLoad) fill(s *blocks) {
	s.drawingOrder(load.Span, load.stage.positions.Slice())
	copy(load.stage.words.Slice(), s.p.Words[load.Begin:load.End])
	copy(load.stage.offsets.Slice(), s.offsetsFrom(load.Span))
}

// settle makes room for a load that stays, with what never changes of it: that stays for
// other runs over the corpus too.
func (on *batchShared) settle(s *blocks, feed *device.Feed, span sampler.Span, lane batchLane) *batchRoom {
	a, keys, tokens := on.arena, keysOf(s.p, s.grid, span), wholeFours(span.Tokens())
	room := &batchRoom{batchLane: lane}
	room.words = device.Keep(a, keys[0], tokens, func(b *device.Buffer[uint32]) error {
		return device.FirstError(clearEnd(b, span), device.Push(feed, b, s.p.Words[span.Begin:span.End], s.p.Threads))
	})
	room.offsets = device.Keep(a, keys[2], span.Docs()+1, func(b *device.Buffer[uint32]) error {
		return b.Upload(s.offsetsFrom(span))
	})
	room.positions = device.Keep(a, keys[1], tokens, func(b *device.Buffer[uint32]) error {
		return device.FirstError(clearEnd(b, span), s.order(on.device, feed, span, b))
	})
	room.grow(a, span)
	if a.Err() == nil {
		a.Note(clearEnd(room.topics, span))
	}
	return room
}

// clearEnd clears what follows a load's tokens up to a multiple of four: threads read four at once, and leave those
// alone.
func clearEnd[T cuda.Number](b *device.Buffer[T], span sampler.Span) error {
	if n := span.Tokens(); n < wholeFours(n) {
		return b.View(n, wholeFours(n)).Zero()
	}
	return nil
}

// keysOf names the words, the positions and the offsets of a load that stays.
func keysOf(p *sampler.Problem, g *grid.Grid, span sampler.Span) []any {
	return []any{
		p.Key(nil).For("words", span.Begin, span.End),
		p.Key(g).For("positions", span.Begin, span.End),
		p.Key(nil).For("offsets", span.Begin, span.FirstDoc, span.LastDoc),
	}
}

// keys names all that stays of a plan's loads.
func (plan *batchPlan) keys(p *sampler.Problem, g *grid.Grid) (keys []any) {
	for i, span := range plan.loads {
		if plan.stays[i] {
			keys = append(keys, keysOf(p, g, span)...)
		}
	}
	if plan.places {
		keys = append(keys, placesKey(p, g, plan.loads[0]))
	}
	return keys
}

// kept is where the load's topics are between sweeps.
func (l *batchLoad) kept() device.KeptTopics {
	if l.home == nil {
		return device.KeptTopics{Stage: l.stage.topics}
	}
	return device.KeptTopics{Home: l.home.topics, N: l.Tokens()}
}

// pass lets tokens of a load pass through the device for some work on them, after what is
// frozen. back says whether topics return.
func (s *batchShared) pass(load *batchLoad, share loadShare, back bool,
	work func(room *batchRoom, q *device.Queue) error,
) error {
	trip := device.Load[batchRoom]{
		Home: load.home,
		Send: func(room *batchRoom, q *device.Queue) error { return room.Send(q, &load.stage, share) },
		Work: func(room *batchRoom, q *device.Queue) error {
			return device.FirstError(q.After(s.frozen), work(room, q))
		},
	}
	if back {
		trip.Return = func(room *batchRoom, q *device.Queue) error { return room.giveBack(q, &load.stage, share) }
	}
	return s.conveyor.Pass(trip)
}
