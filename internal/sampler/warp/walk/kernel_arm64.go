//go:build arm64 && !noasm

package walk

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// The kernels are those of folder kernel.

//go:noescape
func stepNEON(a *stepArgs)

//go:noescape
func drawNEON(a *drawArgs)

//go:noescape
func expandNEON(dst, topics *uint32, n int, cells *TopicCell)

//go:noescape
func setDenseNEON(row *int32, cells *TopicCell, seen *uint32, topics int, sum *int) int

//go:noescape
func load64NEON(a *recordArgs) int

//go:noescape
func load32NEON(a *recordArgs) int

//go:noescape
func store64NEON(a *recordArgs)

//go:noescape
func store32NEON(a *recordArgs)

//go:noescape
func loadDoc64NEON(a *recordArgs)

//go:noescape
func loadDoc32NEON(a *recordArgs)

//go:noescape
func storeDoc64NEON(a *recordArgs)

//go:noescape
func storeDoc32NEON(a *recordArgs)

//go:noescape
func movedQuadsNEON(dst *uint64, a *movedArgs) int

//go:noescape
func prefetchRecordsNEON(a *recordArgs, shift uint64)

//go:noescape
func prefetchLinesNEON(p unsafe.Pointer, n int)

//go:noescape
func prefetchCells64NEON(a *recordArgs, cells *TopicCell)

//go:noescape
func prefetchDocCells64NEON(a *recordArgs, cells *TopicCell)

func step(a *stepArgs) { stepNEON(a) }

func draw(a *drawArgs) { drawNEON(a) }

func expand(dst, topics *uint32, n int, cells *TopicCell) { expandNEON(dst, topics, n, cells) }

func setDense(cells []TopicCell, seen []uint32, row []int32) (n, sum int) {
	if !simd.NEON || len(row) == 0 {
		return setDenseGo(cells, seen, row, 0)
	}
	n = setDenseNEON(&row[0], &cells[0], &seen[0], len(row), &sum)
	return n, sum
}

func movedQuads(dst *uint64, a *movedArgs) int { return movedQuadsNEON(dst, a) }

func load64(a *recordArgs) int { return load64NEON(a) }

func load32(a *recordArgs) int { return load32NEON(a) }

func store64(a *recordArgs) { store64NEON(a) }

func store32(a *recordArgs) { store32NEON(a) }

func loadDoc64(a *recordArgs) { loadDoc64NEON(a) }

func loadDoc32(a *recordArgs) { loadDoc32NEON(a) }

func storeDoc64(a *recordArgs) { storeDoc64NEON(a) }

func storeDoc32(a *recordArgs) { storeDoc32NEON(a) }

func prefetchRecords(a *recordArgs, shift uint64) { prefetchRecordsNEON(a, shift) }

func prefetchLines(p unsafe.Pointer, n int) { prefetchLinesNEON(p, n) }

func prefetchCells64(a *recordArgs, cells *TopicCell) { prefetchCells64NEON(a, cells) }

func prefetchDocCells64(a *recordArgs, cells *TopicCell) { prefetchDocCells64NEON(a, cells) }
