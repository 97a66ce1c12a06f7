package sampler

import (
	"context"
	"sync/atomic"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
)

// bringPriors brings α and 1/(n_k + Vβ) to the device.
func (s *warpPartsOn) bringPriors(model Frozen, priors *Priors) error {
	vbeta := float64(s.p.corpusWords()) * priors.Beta
	inv := make([]float32, s.p.K)
	for k, n := range model.TopicTotals() {
		inv[k] = float32(1 / (float64(n) + vbeta))
	}
	s.alpha.set(priors.Alpha) // of the part; what the device has may be that of another
	return firstError(s.prior.Upload(s.alpha.table()), s.invOn.Upload(inv))
}

// bringRows brings the rows of the part's words to the device.
func (s *warpPartsOn) bringRows(ctx context.Context, t *warpPartOn, model Frozen) error {
	if s.laid != t {
		if err := s.wordPlaces.Upload(t.plan.places); err != nil {
			return err
		}
		s.laid = t
	}
	var foreign atomic.Bool
	row := func(thread int, word uint32) []counts.Entry {
		w := s.workers[thread]
		w.entries = model.AppendRow(w.entries[:0], int(word))
		if rowTotal(w.entries) != int(t.plan.places[2*word+1]) {
			foreign.Store(true)
			return nil
		}
		return w.entries
	}
	dense, _ := model.(Dense)
	err := s.sums.send(ctx, s.device, s.frozen.rows, s.p.Threads, len(t.heavy), func(i int) int { return i * (s.p.K + 1) },
		func(thread, i int, to []uint32) {
			if dense != nil {
				if n, ok := putDense(to, dense, int(t.heavy[i])); ok {
					if n != t.plan.places[2*t.heavy[i]+1] {
						foreign.Store(true)
					}
					return
				}
			}
			clear(to)
			for _, e := range row(thread, t.heavy[i]) {
				to[1+e.Topic] = e.Count
			}
		})
	if err != nil {
		return err
	}
	err = s.topics.send(ctx, s.device, s.frozen.lists, s.p.Threads, len(t.rare), t.listBegin,
		func(thread, i int, to []uint16) {
			for _, e := range row(thread, t.rare[i]) {
				for range e.Count {
					to[0], to = uint16(e.Topic), to[1:]
				}
			}
		})
	if err == nil && foreign.Load() {
		err = errForeignCounts
	}
	if err != nil {
		return err
	}
	s.frozen.hot = t.plan.hot
	return s.sumRows(s.frozen)
}

// putDense puts a dense row of a word behind a zero, and returns its number of tokens. ok is false if the model has no
// such row.
func putDense(to []uint32, model Dense, word int) (total uint32, ok bool) {
	room := unsafe.Slice((*int32)(unsafe.Pointer(&to[1])), len(to)-1)
	row := model.DenseRow(word, room)
	if row == nil {
		return 0, false
	}
	to[0] = 0
	for k, n := range row {
		room[k] = n
		total += uint32(n)
	}
	return total, true
}

// listBegin is where the list of rare word i begins.
func (s *warpPartOn) listBegin(i int) int {
	if i == len(s.rare) {
		return s.plan.listed
	}
	return int(s.plan.places[2*s.rare[i]])
}

// sampleLoads lets the part's loads pass through the device.
func (s *warpPartsOn) sampleLoads(ctx context.Context, t *warpPartOn, iteration int, priors *Priors) error {
	err := s.passLoads(ctx, t, iteration, priors)
	for i, b := range s.berths {
		if err == nil {
			err = s.land(t, b, s.slots[i])
		}
		b.load = nil
	}
	return firstError(err, s.wait())
}

func (s *warpPartsOn) passLoads(ctx context.Context, t *warpPartOn, iteration int, priors *Priors) error {
	for i, load := range t.loads {
		if load.Tokens() == 0 {
			continue
		}
		at := s.turn % len(s.slots)
		b := s.berths[at]
		if err := firstError(ctx.Err(), s.land(t, b, s.slots[at])); err != nil {
			return err
		}
		if err := s.board(b, load, t.lists[i]); err != nil {
			return err
		}
		err := s.device.Together(func() error {
			return s.pass(load, func(slot *warpSlot) error {
				return firstError(s.sample(load, slot, iteration, priors),
					s.launch("warp_docs", "warp_topics_16", spread(s.device, load.Tokens(), 256, 0, 16), s.state, s.layout(), slot.topics, uint32(load.Tokens()), uint32(0)))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// board puts a load into a berth.
func (s *warpPartsOn) board(b *warpBerth, load *warpLoad, lists []uint32) error {
	b.load = load
	load.topics, load.places, load.lists = b.topics.View(0, load.Tokens()), b.places.View(0, load.Tokens()), b.lists.View(0, len(lists))
	places := s.places[load.Begin:load.End]
	inRuns(s.p.Threads, load.Tokens(), func(first, last int) { copy(load.places.Slice()[first:last], places[first:last]) })
	inRuns(s.p.Threads, len(lists), func(first, last int) { copy(load.lists.Slice()[first:last], lists[first:last]) })
	return s.sendTopics(load)
}

// land waits for the topics of the load in a berth and copies them to the part's state, where those before the round
// are kept for addMoves.
func (s *warpPartsOn) land(t *warpPartOn, b *warpBerth, slot *warpSlot) error {
	load := b.load
	if load == nil {
		return nil
	}
	b.load = nil
	if err := slot.left.Wait(); err != nil {
		return err
	}
	t.exchange(load.Begin, load.topics.Slice())
	return nil
}

// exchange sets the topics of the tokens from begin on, and keeps the old ones.
func (s *warpPartOn) exchange(begin int, topics []uint16) {
	stride := s.tokens.stride
	state := s.tokens.topics[begin*stride : (begin+len(topics))*stride]
	inRuns(s.p.Threads, len(topics), func(first, last int) {
		switch {
		case s.p.part.forget:
			for i := first; i < last; i++ {
				state[i*stride] = topics[i]
			}
		case s.tokens.keepsOld():
			for i := first; i < last; i++ {
				state[(i+1)*stride-1], state[i*stride] = state[i*stride], topics[i]
			}
		default:
			for i := first; i < last; i++ {
				s.old[begin+i], state[i*stride] = state[i*stride], topics[i]
			}
		}
	})
}
