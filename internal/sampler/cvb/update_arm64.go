//go:build arm64 && !noasm

package cvb

import "github.com/topoi-lda/topoi/internal/simd"

// updateNEON is updateGo.
//
//go:noescape
func updateNEON(t *tile)

// sumRowsNEON is sumRowsGo for so many rows of kpad values, a multiple of 16.
//
//go:noescape
func sumRowsNEON(sums *int64, rows *int32, n, kpad int)

// laneSumsNEON is laneSumsGo for n topics, a multiple of 16.
//
//go:noescape
func laneSumsNEON(sums *[lanes]int32, gamma *uint8, n int)

// drawNEON is drawGo for n > 0 tokens and kpad topics.
//
//go:noescape
func drawNEON(z *uint32, n int, gamma *uint8, kpad int, u uint32)

func update(t *tile) {
	if !simd.NEON {
		updateGo(t)
		return
	}
	updateNEON(t)
}

func sumRows(sums []int64, rows []int32) {
	if !simd.NEON || len(rows) == 0 {
		sumRowsGo(sums, rows)
		return
	}
	sumRowsNEON(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
}

func laneSums(sums *[lanes]int32, gamma []uint8) {
	if !simd.NEON {
		laneSumsGo(sums, gamma)
		return
	}
	laneSumsNEON(sums, &gamma[0], len(gamma))
}

func draw(z []uint32, gamma []uint8, _ []int32, u uint32) {
	if !simd.NEON {
		drawGo(z, gamma, u)
		return
	}
	drawNEON(&z[0], len(z), &gamma[0], len(gamma), u)
}
