//go:build amd64 && !noasm

package cvb

import "github.com/topoi-lda/topoi/internal/simd"

// updateAVX512 and updateAVX2 implement updateGo with AVX-512 (F) and AVX2.
//
//go:noescape
func updateAVX512(t *tile)

//go:noescape
func updateAVX2(t *tile)

// sumRowsAVX512 is sumRowsGo for so many rows of kpad values, a multiple of 16; sumRowsAVX2 the same.
//
//go:noescape
func sumRowsAVX512(sums *int64, rows *int32, n, kpad int)

//go:noescape
func sumRowsAVX2(sums *int64, rows *int32, n, kpad int)

// laneSumsAVX512 is laneSumsGo for n > 0 topics, a multiple of 16; laneSumsAVX2 the same.
//
//go:noescape
func laneSumsAVX512(sums *[lanes]int32, gamma *uint8, n int)

//go:noescape
func laneSumsAVX2(sums *[lanes]int32, gamma *uint8, n int)

// drawAVX512 is drawGo for n > 0 tokens and kpad topics, with room for as many sums.
//
//go:noescape
func drawAVX512(z *uint32, n int, gamma *uint8, sums *int32, kpad int, u uint32)

func update(t *tile) {
	switch {
	case simd.AVX512:
		updateAVX512(t)
	case simd.AVX2:
		updateAVX2(t)
	default:
		updateGo(t)
	}
}

func sumRows(sums []int64, rows []int32) {
	switch {
	case len(rows) == 0:
		clear(sums)
	case simd.AVX512:
		sumRowsAVX512(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
	case simd.AVX2:
		sumRowsAVX2(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
	default:
		sumRowsGo(sums, rows)
	}
}

func laneSums(sums *[lanes]int32, gamma []uint8) {
	switch {
	case simd.AVX512:
		laneSumsAVX512(sums, &gamma[0], len(gamma))
	case simd.AVX2:
		laneSumsAVX2(sums, &gamma[0], len(gamma))
	default:
		laneSumsGo(sums, gamma)
	}
}

func draw(z []uint32, gamma []uint8, sums []int32, u uint32) {
	if !simd.AVX512 {
		drawGo(z, gamma, u)
		return
	}
	drawAVX512(&z[0], len(z), &gamma[0], &sums[0], len(gamma), u)
}
