//go:build (amd64 || arm64) && !noasm

package blob

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

func packDense(set, values []byte, delta []int32) (n int, small bool) {
	groups := len(delta) / 16
	if !simd.Vectors || groups == 0 {
		return packDenseGo(set, values, delta)
	}
	n, most := packGroups(&set[0], &values[0], &delta[0], groups)
	rest, small := packDenseGo(set[2*groups:], values[n:], delta[16*groups:])
	return n + rest, small && most <= denseMost
}

func addDense(row []int32, totals []uint64, set, values []byte, sign int32) {
	groups := len(row) / 16
	if !simd.Vectors || groups == 0 || len(values) == 0 {
		addDenseGo(row, totals, set, values, sign)
		return
	}
	a := addArgs{
		row: &row[0], totals: unsafe.SliceData(totals), set: &set[0], values: &values[0], groups: groups,
		valuesLen: len(values), sign: sign,
	}
	addGroups(&a)
	rest := values[len(values)-setBits(set[2*groups:]):]
	if totals != nil {
		totals = totals[16*groups:]
	}
	addDenseGo(row[16*groups:], totals, set[2*groups:], rest, sign)
}
