//go:build amd64 && !noasm

package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// listCall is listArgs as the assembly reads it.
type listCall struct {
	order  *uint16 // the next token
	tokens int     // so many are to be drawn

	words  *listWord
	of     *uint16
	doc    *uint16
	z      *uint16
	random *uint32

	entries *uint32
	first   *uint32
	length  *uint32
	sums    *int64

	inv    *float32
	smooth *float32
	whole  *int64
	groups int
	topics int

	quads int // so many times, the next four tokens are of four documents, and the four after them of four others
	slots [slotsOf]listSlot

	next, nextEnd *listWord // words whose tables will be wanted soon: a hint
	//lint:ignore U1000 used by the assembly
	nextByte int // of what next has ahead: where to go on fetching it

	beta      float32
	restScale float32
}

// listSlot is a token that is being drawn.
type listSlot struct {
	entry  *uint32  // scratch: entries of the matches
	at     *uint32  // scratch: their places in the list
	prefix *float32 // scratch: prefix sums
	//lint:ignore U1000 used by the assembly
	t float32
	//lint:ignore U1000 used by the assembly
	match, word float32 // M and W
	//lint:ignore U1000 used by the assembly
	n uint32 // matches
	//lint:ignore U1000 used by the assembly
	own uint32 // the place of z in the list
}

// laneNumbers is for the assembly.
//
//lint:ignore U1000 used by the assembly
var laneNumbers = [matchRun]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// drawListsAVX512 is drawListsGo with AVX-512 (F, BW, DQ, VL).
//
//go:noescape
func drawListsAVX512(c *listCall)

// drawLists draws tokens by the fastest code this machine has.
func drawLists(a *listArgs) {
	if a.docs.wide != nil || !simd.AVX512 {
		if simd.AVX2 {
			a.find = findMatchesFast
		}
		drawListsGo(a)
		return
	}
	f, l, s := a.round, a.docs, a.scratch
	c := &listCall{
		words: unsafe.SliceData(a.words), of: unsafe.SliceData(a.of), doc: unsafe.SliceData(a.doc), z: unsafe.SliceData(a.z), random: unsafe.SliceData(a.random),
		entries: unsafe.SliceData(l.entries), first: unsafe.SliceData(l.first), length: unsafe.SliceData(l.length), sums: unsafe.SliceData(l.sums),
		inv: unsafe.SliceData(f.inv), smooth: unsafe.SliceData(f.smooth), whole: unsafe.SliceData(f.whole), groups: f.groups, topics: a.topics,
		quads: a.quads, beta: f.beta, restScale: f.restScale,
	}
	n := len(s.at) / slotsOf
	for i := range c.slots {
		c.slots[i] = listSlot{entry: &s.entry[i*n], at: &s.at[i*n], prefix: &s.prefix[i*n]}
	}
	c.order, c.tokens = unsafe.SliceData(a.order), len(a.order)
	c.next = unsafe.SliceData(a.next)
	c.nextEnd = (*listWord)(unsafe.Add(unsafe.Pointer(c.next), len(a.next)*int(unsafe.Sizeof(listWord{}))))
	drawListsAVX512(c)
}

// matchCall is what findMatches works on, as the assembly reads it.
type matchCall struct {
	list   *uint32
	length int
	bits   *[maskWords]uint32
	row    unsafe.Pointer
	inv    *float32
	at     *uint32
	entry  *uint32
	prefix *float32
	log2   uint32
	keep   uint32
	old    uint32

	all float32 // found: M
	n   int     // found: the number of matches
}

// findMatchesAVX2 is findMatches with AVX2.
//
//go:noescape
func findMatchesAVX2(c *matchCall)

func findMatchesFast(a *listArgs, list []uint32, w *listWord, old uint32) (sums []float32, all float32) {
	s := a.scratch
	c := matchCall{
		list: unsafe.SliceData(list), length: len(list), bits: w.bits, row: w.row, inv: unsafe.SliceData(a.round.inv),
		at: unsafe.SliceData(s.at), entry: unsafe.SliceData(s.entry), prefix: unsafe.SliceData(s.prefix), log2: w.log2, keep: w.keep, old: old,
	}
	findMatchesAVX2(&c)
	return s.prefix[:c.n], c.all
}
