//go:build amd64 && !noasm

package walk

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// The kernels of AVX2 are those of folder kernel.

//go:noescape
func stepAVX2(a *stepArgs)

//go:noescape
func drawAVX2(a *drawArgs)

//go:noescape
func expandAVX2(dst, topics *uint32, n int, cells *TopicCell)

//go:noescape
func setDenseAVX2(row *int32, cells *TopicCell, seen *uint32, topics int, sum *int) int

//go:noescape
func load64AVX2(a *recordArgs) int

//go:noescape
func load32AVX2(a *recordArgs) int

//go:noescape
func store64AVX2(a *recordArgs)

//go:noescape
func store32AVX2(a *recordArgs)

//go:noescape
func loadDoc64AVX2(a *recordArgs)

//go:noescape
func loadDoc32AVX2(a *recordArgs)

//go:noescape
func storeDoc64AVX2(a *recordArgs)

//go:noescape
func storeDoc32AVX2(a *recordArgs)

//go:noescape
func movedQuadsAVX2(dst *uint64, a *movedArgs) int

//go:noescape
func prefetchRecordsAVX2(a *recordArgs, shift uint64)

//go:noescape
func prefetchLinesAVX2(p unsafe.Pointer, n int)

//go:noescape
func prefetchCells64AVX2(a *recordArgs, cells *TopicCell)

//go:noescape
func prefetchDocCells64AVX2(a *recordArgs, cells *TopicCell)

// warpStepAVX512 is StepGo for n > 0 tokens.
//
//go:noescape
func warpStepAVX512(z, own, proposal, x *uint32, n int, cells *TopicCell, each bool, prior float32)

// warpDrawAVX512 is DrawGo for n > 0 tokens; threshold and other are nil if there is no alias table.
//
//go:noescape
func warpDrawAVX512(proposal, x, y, places *uint32, n int, mix *Mix, topics uint32, threshold, other *uint32)

// warpExpandAVX512 is ExpandGo, but writes up to Slack values more.
//
//go:noescape
func warpExpandAVX512(dst, topics *uint32, n int, cells *TopicCell)

// setDenseAVX512 is setDenseGo for groups > 0 times sixteen topics.
//
//go:noescape
func setDenseAVX512(row *int32, cells *TopicCell, seen *uint32, groups int) (n, sum int)

// movedQuadsAVX512 is Tokens.moved for n > 0 segments of records of four 16-bit topics. dst must have space
// for seven more records than there are tokens. most is MostTokens.
//
//go:noescape
func movedQuadsAVX512(dst *uint64, records unsafe.Pointer, begins *int, segments *Segment, n,
	most int) (moved, taken int)

//go:noescape
func load64AVX512(a *recordArgs) int

//go:noescape
func load32AVX512(a *recordArgs) int

//go:noescape
func store64AVX512(a *recordArgs)

//go:noescape
func store32AVX512(a *recordArgs)

//go:noescape
func loadDoc64AVX512(a *recordArgs)

//go:noescape
func loadDoc32AVX512(a *recordArgs)

//go:noescape
func storeDoc64AVX512(a *recordArgs)

//go:noescape
func storeDoc32AVX512(a *recordArgs)

func step(a *stepArgs) {
	if simd.AVX512 {
		warpStepAVX512(a.z, a.own, a.proposal, a.x, a.n, a.cells, a.each, a.prior)
	} else {
		stepAVX2(a)
	}
}

func draw(a *drawArgs) {
	if simd.AVX512 {
		warpDrawAVX512(a.proposal, a.x, a.y, a.places, a.n, &a.mix, a.topics, a.threshold, a.other)
	} else {
		drawAVX2(a)
	}
}

func expand(dst, topics *uint32, n int, cells *TopicCell) {
	if simd.AVX512 {
		warpExpandAVX512(dst, topics, n, cells)
	} else {
		expandAVX2(dst, topics, n, cells)
	}
}

func setDense(cells []TopicCell, seen []uint32, row []int32) (n, sum int) {
	groups := len(row) / 16
	switch {
	case len(row) == 0 || !simd.AVX2:
		return setDenseGo(cells, seen, row, 0)
	case simd.AVX512 && groups > 0:
		n, sum = setDenseAVX512(&row[0], &cells[0], &seen[0], groups)
		more, rest := setDenseGo(cells, seen[n:], row, 16*groups)
		return n + more, sum + rest
	}
	n = setDenseAVX2(&row[0], &cells[0], &seen[0], len(row), &sum)
	return n, sum
}

func movedQuads(dst *uint64, a *movedArgs) (n int) {
	if simd.AVX512 {
		n, a.taken = movedQuadsAVX512(dst, a.records, a.begins, a.segments, a.n, MostTokens)
		return n
	}
	return movedQuadsAVX2(dst, a)
}

func load64(a *recordArgs) int {
	if simd.AVX512 {
		return load64AVX512(a)
	}
	return load64AVX2(a)
}

func load32(a *recordArgs) int {
	if simd.AVX512 {
		return load32AVX512(a)
	}
	return load32AVX2(a)
}

func store64(a *recordArgs) {
	if simd.AVX512 {
		store64AVX512(a)
	} else {
		store64AVX2(a)
	}
}

func store32(a *recordArgs) {
	if simd.AVX512 {
		store32AVX512(a)
	} else {
		store32AVX2(a)
	}
}

func loadDoc64(a *recordArgs) {
	if simd.AVX512 {
		loadDoc64AVX512(a)
	} else {
		loadDoc64AVX2(a)
	}
}

func loadDoc32(a *recordArgs) {
	if simd.AVX512 {
		loadDoc32AVX512(a)
	} else {
		loadDoc32AVX2(a)
	}
}

func storeDoc64(a *recordArgs) {
	if simd.AVX512 {
		storeDoc64AVX512(a)
	} else {
		storeDoc64AVX2(a)
	}
}

func storeDoc32(a *recordArgs) {
	if simd.AVX512 {
		storeDoc32AVX512(a)
	} else {
		storeDoc32AVX2(a)
	}
}

// Prefetching is the same with AVX-512.

func prefetchRecords(a *recordArgs, shift uint64) { prefetchRecordsAVX2(a, shift) }

func prefetchLines(p unsafe.Pointer, n int) { prefetchLinesAVX2(p, n) }

func prefetchCells64(a *recordArgs, cells *TopicCell) { prefetchCells64AVX2(a, cells) }

func prefetchDocCells64(a *recordArgs, cells *TopicCell) { prefetchDocCells64AVX2(a, cells) }
