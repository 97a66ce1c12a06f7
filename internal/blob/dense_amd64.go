//go:build amd64 && !noasm

package blob

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// packDenseAVX512 is packDenseGo for groups > 0 times sixteen numbers. values must have space for sixteen
// more bytes than are written. It also returns the largest absolute value.
//
//go:noescape
func packDenseAVX512(set, values *byte, delta *int32, groups int) (n int, most uint32)

// addDenseAVX512 is addDenseGo for groups > 0 times sixteen numbers.
//
//go:noescape
func addDenseAVX512(row *int32, totals *uint64, set, values *byte, groups int, sign int32)

func packDense(set, values []byte, delta []int32) (n int, small bool) {
	groups := len(delta) / 16
	if !simd.AVX512 || groups == 0 {
		return packDenseGo(set, values, delta)
	}
	n, most := packDenseAVX512(&set[0], &values[0], &delta[0], groups)
	rest, small := packDenseGo(set[2*groups:], values[n:], delta[16*groups:])
	return n + rest, small && most <= denseMost
}

func addDense(row []int32, totals []uint64, set, values []byte, sign int32) {
	groups := len(row) / 16
	if !simd.AVX512 || groups == 0 || len(values) == 0 {
		addDenseGo(row, totals, set, values, sign)
		return
	}
	addDenseAVX512(&row[0], unsafe.SliceData(totals), &set[0], &values[0], groups, sign)
	rest := values[len(values)-setBits(set[2*groups:]):]
	if totals != nil {
		totals = totals[16*groups:]
	}
	addDenseGo(row[16*groups:], totals, set[2*groups:], rest, sign)
}
