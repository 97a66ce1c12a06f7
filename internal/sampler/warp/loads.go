package warp

import (
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpLoad is a run of whole blocks as the device takes it; they have their numbers in the
// corpus.
type warpLoad struct {
	sampler.Span
	cuts        [warpLists + 1]int // where its lists begin
	short, long int                // documents whose tokens fit shared memory, or groups of them, and other documents
	shortRoom   int                // tokens of the longest short document
}

// The lists of a load, as kernels read them. Positions are counted from the load's begin.
const (
	warpHeads    = iota // Head of warp_docs.h, four numbers for each short document, or Group of warp_groups.h
	warpShares          // Share of warp_groups.h, if there are groups
	warpBegins          // Words of words.h
	warpBefore          // the same
	warpSegments        // the same
	warpStarts          // Blocks of warp.h, for all blocks up to the load's last
	warpLongEnds        // first and last+1 position of each long document
	warpLongs           // the place of each among those: 0, 2, 4, …
	warpLists
)

// warpRoom is room for a load on the device.
type warpRoom struct {
	topics *device.Buffer[uint16] // tokens, grid order
	places *device.Buffer[uint16] // tokens, corpus order: place in the block
	lists  *device.Buffer[uint32]
	stage  warpStage
}

// warpStage is where a load is sent from and returns to.
type warpStage struct {
	topics, places *device.Host[uint16] // as in warpRoom
	lists          *device.Host[uint32]
}

// Grow makes room for so many tokens, and numbers in lists.
func (r *warpRoom) Grow(a *device.Arena, tokens, numbers int) {
	device.Grow(a, &r.topics, tokens)
	device.Grow(a, &r.places, tokens)
	device.Grow(a, &r.lists, numbers)
}

func (s *warpStage) Grow(a *device.Arena, tokens, numbers int) {
	device.GrowHost(a, &s.topics, tokens)
	device.GrowHost(a, &s.places, tokens)
	device.GrowHost(a, &s.lists, numbers)
}

// Send copies a load.
func (r *warpRoom) Send(q *device.Queue, from *warpStage, load *warpLoad) error {
	n, numbers := load.Tokens(), load.cuts[warpLists]
	return device.FirstError(
		r.topics.View(0, n).Send(q, from.topics.View(0, n)),
		r.places.View(0, n).Send(q, from.places.View(0, n)),
		r.lists.View(0, numbers).Send(q, from.lists.View(0, numbers)),
	)
}

// giveBack copies the topics of a load back.
func (r *warpRoom) giveBack(q *device.Queue, to *warpStage, load *warpLoad) error {
	return r.topics.View(0, load.Tokens()).Receive(q, to.topics.View(0, load.Tokens()))
}

// list is one of the lists of the load in the room.
func (r *warpRoom) list(load *warpLoad, i int) *device.Buffer[uint32] {
	return r.lists.View(load.cuts[i], load.cuts[i+1])
}

// gather copies the topics of the tokens from begin on, in grid order.
func (s *warp[T]) gather(topics []T, begin int) {
	stride := s.tokens.Stride
	state := s.tokens.Topics[begin*stride:]
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		for i := first; i < last; i++ {
			topics[i] = state[i*stride]
		}
	})
}

// scatter sets the topics of the tokens from begin on.
func (s *warp[T]) scatter(topics []T, begin int) {
	stride := s.tokens.Stride
	state := s.tokens.Topics[begin*stride:]
	parallel.Runs(s.p.Threads, len(topics), func(first, last int) {
		for i := first; i < last; i++ {
			state[i*stride] = topics[i]
		}
	})
}

// sendTotals copies n_k to a device.
func sendTotals(on *device.Buffer[uint32], nk []int64) error {
	list := make([]uint32, len(nk))
	for k, n := range nk {
		list[k] = uint32(n)
	}
	return on.Upload(list)
}

// fetchTotals copies n_k from a device.
func fetchTotals(on *device.Buffer[uint32], nk []int64) error {
	list := make([]uint32, len(nk))
	err := on.Download(list)
	for k, n := range list {
		nk[k] = int64(n)
	}
	return err
}

// makeLists makes the load's lists one after the other and says where each begins.
func (s *warpShared) makeLists(w *warp[uint16], load *warpLoad, segments []warpBlockSegments) []uint32 {
	heads, shares, longEnds, longs := s.docLists(w, load)
	begins, before, words := w.wordLists(load.Span, segments)
	var list []uint32
	for i, part := range [warpLists][]uint32{
		warpHeads: heads, warpShares: shares, warpBegins: begins, warpBefore: before, warpSegments: words, warpStarts: w.startsOf(load.Span),
		warpLongEnds: longEnds, warpLongs: longs,
	} {
		list = append(list, part...)
		load.cuts[i+1] = len(list)
	}
	return list
}

// wordLists says which word each of the load's tokens has.
func (s *warp[T]) wordLists(load sampler.Span, segments []warpBlockSegments) (begins, before, words []uint32) {
	begins = make([]uint32, (load.Tokens()+31)/32)
	before = make([]uint32, len(begins))
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		for _, segment := range segments[b-s.firstBlock] {
			at := s.block(b).Begin - load.Begin + int(segment.begin)
			begins[at/32] |= 1 << (at % 32)
			words = append(words, segment.word)
			if at/32+1 < len(before) {
				before[at/32+1]++
			}
		}
	}
	for i := 1; i < len(before); i++ {
		before[i] += before[i-1]
	}
	return begins, before, words
}

// startsOf is what Blocks of warp.h reads. Blocks before the load seem to be empty.
func (s *warp[T]) startsOf(load sampler.Span) []uint32 {
	list := make([]uint32, load.FirstBlock)
	for b := load.FirstBlock; b < load.LastBlock; b++ {
		list = append(list, uint32(s.block(b).Begin-load.Begin))
	}
	list = append(list, uint32(load.Tokens()))
	block := load.FirstBlock
	for position := load.Begin; position < load.End; position += 1 << 16 {
		for s.block(block).End <= position {
			block++
		}
		list = append(list, uint32(block))
	}
	return list
}
