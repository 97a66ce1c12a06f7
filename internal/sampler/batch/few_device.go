package batch

import (
	"fmt"
	"math"
	"sort"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// With few topics, a thread of the device draws a document: kernels/batch_few.cu. That
// takes a fifth of the instructions of a warp for each document, but a document's tokens
// take longer one after the other. The bytes are the same.

// fewTopics is the most topics that a thread draws among.
const fewTopics = 64

// fewSteps is how many tokens the device draws while a thread draws one. Documents that would keep a thread longer than
// the device needs for all are left to warps. If that is most of the tokens, as in small mini-batches, documents may be
// fewSlower times longer: warps would still take longer for all of them.
var fewSteps, fewSlower = 40_000, 4

// fewDocs is the documents of a share in the order in which they are drawn.
type fewDocs struct {
	list  *device.Buffer[uint32] // numbers from the load's FirstDoc, longest first
	count int
	long  int // those that warps draw
}

// fewShares has the documents of shares by the first and the last document of each.
type fewShares map[[2]int]*fewDocs

// docs returns the documents of a share of a load if threads are to draw them, and nil if warps are to draw all.
func (of fewShares) docs(s *batchShared, load sampler.Span, share loadShare) (*fewDocs, error) {
	if s.p.K > fewTopics {
		return nil, nil
	}
	key := [2]int{load.FirstDoc + share.firstDoc, load.FirstDoc + share.lastDoc}
	if docs, ok := of[key]; ok {
		return docs, nil
	}
	var docs *fewDocs
	for _, steps := range []int{fewSteps, max(1, fewSteps/fewSlower)} {
		list, long := byLength(s.p.Offsets[key[0]:key[1]+1], uint32(share.firstDoc),
			min(math.MaxUint16, (share.end-share.begin)/steps))
		if tokensOf(s.p.Offsets[load.FirstDoc:], list[:long]) <= (share.end-share.begin)/4 {
			docs = &fewDocs{device.Upload(s.arena, list), len(list), long}
			break
		}
	}
	of[key] = docs
	return docs, s.arena.Err()
}

// byLength lists the documents between offsets, longest first, without empty ones, and
// says how many have more than so many tokens. The first one's number is given.
func byLength(offsets []uint64, first uint32, most int) (list []uint32, long int) {
	list = make([]uint32, len(offsets)-1)
	longestFirst(list, offsets, first)
	beyond := func(tokens int) int { // how many have more
		return sort.Search(len(list), func(i int) bool {
			d := list[i] - first
			return int(offsets[d+1]-offsets[d]) <= tokens
		})
	}
	return list[:beyond(0)], beyond(most)
}

// longestFirst lists the documents between offsets, the first of which has the given
// number, by falling length, so that no long one is begun late.
func longestFirst(turns []uint32, offsets []uint64, first uint32) {
	length := func(d int) int { return int(offsets[d+1] - offsets[d]) }
	var ends []uint32 // documents of each length, then where those that are left end
	for d := range turns {
		ends = sampler.Bump(ends, length(d))
	}
	sum := uint32(0)
	for n := len(ends) - 1; n >= 0; n-- {
		sum += ends[n]
		ends[n] = sum
	}
	for d := len(turns) - 1; d >= 0; d-- {
		end := &ends[length(d)]
		*end--
		turns[*end] = first + uint32(d)
	}
}

// tokensOf adds up the tokens of documents.
func tokensOf(offsets []uint64, docs []uint32) (tokens int) {
	for _, d := range docs {
		tokens += int(offsets[d+1] - offsets[d])
	}
	return tokens
}

// fewWidth is how many topics the kernel for so many topics has, a multiple of 16.
func fewWidth(topics int) int {
	if topics <= draw32.Lanes/2 {
		return draw32.Lanes / 2
	}
	return draw32.PaddedTopics(topics)
}

// fewKernel names that kernel and its module.
func (s *batchShared) fewKernel() (module, kernel string) {
	if module, kernel = "batch_few", "batch_few_%d"; s.p.Groups != nil {
		module, kernel = "batch_groups", "batch_groups_few_%d"
	}
	return module, fmt.Sprintf(kernel, fewWidth(s.p.K))
}

// drawFew draws tokens of a load by a thread for each document, but for long ones, and counts them.
func (s *batchShared) drawFew(room *batchRoom, q *device.Queue, docs *fewDocs, load sampler.Span, iteration int) error {
	topics, key := fewWidth(s.p.K), rng.NewKey(s.p.Seed)
	shape := device.Shape{
		Blocks:  min(docs.long+(docs.count-docs.long+draw32.Lanes-1)/draw32.Lanes, 32*s.device.Processors()),
		Threads: draw32.Lanes,
		Shared:  4 * (3*topics + draw32.Lanes*(2*(topics+4)+topics/2)),
	}
	module, kernel := s.fewKernel()
	return device.FirstError(
		room.taken.ZeroIn(q),
		q.Launch(module, kernel, shape, s.withGroups(load, room.words, room.positions, room.topics, room.before,
			s.weights, s.alpha, s.inv,
			room.offsets, docs.list, uint32(docs.count), uint32(docs.long), room.taken, s.nwk, s.nk, uint32(s.p.K),
			uint32(s.pad), uint32(load.Begin), key[0], key[1], uint32(iteration), uint32(sampler.ForDraw))...),
	)
}
