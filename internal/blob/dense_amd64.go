//go:build amd64 && !noasm

package blob

import "github.com/topoi-lda/topoi/internal/simd"

// packDenseAVX512 is packDenseGo for groups > 0 times sixteen numbers. values must have space for sixteen
// more bytes than are written. It also returns the largest absolute value.
//
//go:noescape
func packDenseAVX512(set, values *byte, delta *int32, groups int) (n int, most uint32)

// addDenseAVX512 is addDenseGo for groups > 0 times sixteen numbers.
//
//go:noescape
func addDenseAVX512(row *int32, totals *uint64, set, values *byte, groups int, sign int32)

// packDenseAVX2 is packDenseGo for groups > 0 times sixteen numbers. values must have space for one more byte.
//
//go:noescape
func packDenseAVX2(set, values *byte, delta *int32, groups int, most *uint32) (n int)

// addDenseAVX2 is addDenseGo.
//
//go:noescape
func addDenseAVX2(a *addArgs)

func packGroups(set, values *byte, delta *int32, groups int) (n int, most uint32) {
	if simd.AVX512 {
		return packDenseAVX512(set, values, delta, groups)
	}
	n = packDenseAVX2(set, values, delta, groups, &most)
	return n, most
}

func addGroups(a *addArgs) {
	if simd.AVX512 {
		addDenseAVX512(a.row, a.totals, a.set, a.values, a.groups, a.sign)
	} else {
		addDenseAVX2(a)
	}
}
