package warp

import (
	"context"
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// bringPriors copies α and 1/(n_k + Vβ) to the device.
func (s *warpPartOn) bringPriors(model *sampler.Frozen, priors *sampler.Priors) error {
	vbeta := float64(float64(s.p.CorpusWords()) * priors.Beta)
	inv := make([]float32, s.p.K)
	for k, n := range model.Totals {
		inv[k] = float32(1 / (float64(n) + vbeta))
	}
	return device.FirstError(s.on.setAlpha(priors), s.on.inv.Upload(inv))
}

// bringRows copies the rows of the part's words to the device.
func (s *warpPartOn) bringRows(ctx context.Context, model *sampler.Frozen) error {
	on := s.on
	if on.laid != s {
		if err := on.wordPlaces.Upload(s.plan.places); err != nil {
			return err
		}
		on.laid = s
	}
	var foreign atomic.Bool
	row := func(thread int, word uint32) []counts.Entry {
		w := s.workers[thread]
		w.entries = model.Rows.AppendRow(w.entries[:0], int(word))
		if rowTotal(w.entries) != int(s.plan.places[2*word+1]) {
			foreign.Store(true)
			return nil
		}
		return w.entries
	}
	err := on.sums.Send(ctx, on.arena, on.device.Main(), on.frozen.rows, s.p.Threads, len(s.heavy),
		func(i int) int { return i * (s.p.K + 1) }, func(thread, i int, to []uint32) {
			if model.DenseRow != nil {
				if n, ok := putDense(to, model.DenseRow, int(s.heavy[i])); ok {
					if n != s.plan.places[2*s.heavy[i]+1] {
						foreign.Store(true)
					}
					return
				}
			}
			clear(to)
			for _, e := range row(thread, s.heavy[i]) {
				to[1+e.Topic] = e.Count
			}
		})
	if err != nil {
		return err
	}
	err = on.topics.Send(ctx, on.arena, on.device.Main(), on.frozen.lists, s.p.Threads, len(s.rare), s.listBegin,
		func(thread, i int, to []uint16) {
			for _, e := range row(thread, s.rare[i]) {
				for range e.Count {
					to[0], to = uint16(e.Topic), to[1:]
				}
			}
		})
	if err == nil && foreign.Load() {
		err = ErrForeignCounts
	}
	if err != nil {
		return err
	}
	return on.sumRows(on.frozen)
}

// putDense writes 0 and the dense row of a word to to, and returns its number of tokens. ok is false if the
// model has no such row.
func putDense(to []uint32, dense func(w int, room []int32) []int32, word int) (total uint32, ok bool) {
	room := unsafe.Slice((*int32)(unsafe.Pointer(&to[1])), len(to)-1)
	row := dense(word, room)
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

// listBegin returns where the list of rare word i begins.
func (s *warpPartOn) listBegin(i int) int {
	if i == len(s.rare) {
		return s.plan.listed
	}
	return int(s.plan.places[2*s.rare[i]])
}

// sampleLoads passes the part's loads through the device. It stores the topics before the round for AddMoves.
func (s *warpPartOn) sampleLoads(ctx context.Context, iteration int, priors *sampler.Priors) error {
	on := s.on
	for i, load := range s.loads {
		if load.Tokens() == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		err := on.conveyor.Pass(device.Load[warpRoom]{
			Board: func(room *warpRoom) error {
				s.board(&room.stage, load, s.lists[i])
				return nil
			},
			Send: func(room *warpRoom, q *device.Queue) error { return room.Send(q, &room.stage, load) },
			Work: func(room *warpRoom, _ *device.Queue) error {
				return device.FirstError(on.sample(load, room, iteration, priors),
					on.launch("warp_docs", "warp_topics_16", device.Spread(on.device, load.Tokens(), 256, 0, 16),
						on.state, on.layout(), on.byDoc, device.Flag(true), room.topics, uint32(load.Tokens()),
						device.Flag(false)))
			},
			Return: func(room *warpRoom, q *device.Queue) error { return room.giveBack(q, &room.stage, load) },
			Land: func(room *warpRoom) error {
				s.exchange(load.Begin, room.stage.topics.Slice()[:load.Tokens()])
				return nil
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// board copies a load to the memory from which it is sent.
func (s *warpPartOn) board(to *warpStage, load *warpLoad, lists []uint32) {
	places := s.places[load.Begin:load.End]
	parallel.Runs(s.p.Threads, load.Tokens(), func(first, last int) {
		copy(to.places.Slice()[first:last],
			places[first:last])
	})
	parallel.Runs(s.p.Threads, len(lists), func(first, last int) {
		copy(to.lists.Slice()[first:last],
			lists[first:last])
	})
	s.gather(to.topics.Slice()[:load.Tokens()], load.Begin)
}

// exchange sets the topics of the tokens from begin on, and stores the old ones.
func (s *warpPartOn) exchange(begin int, topics []uint16) {
	stride := s.tokens.Stride
	state := s.tokens.Topics[begin*stride : (begin+len(topics))*stride]
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		switch {
		case s.p.Part.Forget:
			for i := first; i < last; i++ {
				state[i*stride] = topics[i]
			}
		case s.tokens.KeepsOld():
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

// warpPartOn is warp on a part whose tokens pass through a device in loads. Rows of words come from the
// frozen counts, because a load does not have all tokens of a word.
type warpPartOn struct {
	*warpPart[uint16]
	on *partsOn

	// These fields are set in the first round.
	plan  *warpPlan
	loads []*warpLoad
	lists [][]uint32 // of each load
	heavy []uint32   // words with sums, increasing
	rare  []uint32   // words with lists, increasing
}

// partsOn holds what parts of warp share on a device.
type partsOn struct {
	*warpShared
	sums   sampler.RowSender[uint32]
	topics sampler.RowSender[uint16]
	most   int         // most tokens in a load; 0 before the first part
	laid   *warpPartOn // the part whose wordPlaces are on the device
}

// ErrForeignCounts is returned for counts that cannot be those of the part's corpus.
var ErrForeignCounts = errors.New("the counts are not those of the corpus: a word has another number of tokens there")

// rowTotal returns the number of tokens in a row.
func rowTotal(row []counts.Entry) int {
	n := 0
	for _, e := range row {
		n += int(e.Count)
	}
	return n
}
