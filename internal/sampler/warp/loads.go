package warp

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpLoad is a run of whole blocks in the form that the device takes. Blocks have their numbers in the corpus.
type warpLoad struct {
	sampler.Span
	cuts        [warpLists + 1]int // where its lists begin
	short, long int                // number of short documents, or of groups of them, and of long ones
	shortRoom   int                // tokens of the longest short document
}

// These are the lists of a load as kernels read them. Positions are relative to the load's begin.
const (
	warpHeads    = iota // Head of warp_docs.h, four numbers for each short document, or Group of warp_groups.h
	warpShares          // Share of warp_groups.h, if there are groups
	warpBegins          // Words of words.h
	warpBefore          // Words of words.h
	warpSegments        // Words of words.h
	warpStarts          // Blocks of warp.h, for all blocks up to the load's last
	warpLongEnds        // first position of each long document, and one after its last
	warpLongs           // the index of each in warpLongEnds: 0, 2, 4, …
	warpLists
)

// warpRoom is the memory for a load on the device.
type warpRoom struct {
	topics *device.Buffer[uint16] // tokens, grid order
	places *device.Buffer[uint16] // tokens, corpus order: place in the block
	lists  *device.Buffer[uint32]
	stage  warpStage
}

// warpStage is the host memory from which a load is sent and to which it returns.
type warpStage struct {
	topics, places *device.Host[uint16] // as in warpRoom
	lists          *device.Host[uint32]
}

// Grow makes room for the given numbers of tokens and of numbers in lists.
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

// Send copies a load to the device.
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

// list returns list i of the load in the room.
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
	counts.Copy(list, nk)
	return on.Upload(list)
}

// fetchTotals copies n_k from a device.
func fetchTotals(on *device.Buffer[uint32], nk []int64) error {
	list := make([]uint32, len(nk))
	err := on.Download(list)
	counts.Copy(nk, list)
	return err
}

// wordLists returns the lists from which kernels find the word of each token.
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

// startsOf returns the list that Blocks of warp.h reads. Blocks before the load are empty in it.
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
