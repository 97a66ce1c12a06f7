//go:build amd64 && !noasm

package cvb

import "github.com/topoi-lda/topoi/internal/simd"

// updatePaths lists the assembly of update that this machine can run.
func updatePaths() map[string]func(*tile) {
	paths := map[string]func(*tile){}
	if simd.AVX2 {
		paths["avx2"] = updateAVX2
	}
	if simd.AVX512 {
		paths["avx512"] = updateAVX512
	}
	return paths
}

// sumPaths lists the assembly of sumRows that this machine can run.
func sumPaths() map[string]func(sums []int64, rows []int32) {
	paths := map[string]func([]int64, []int32){}
	if simd.AVX2 {
		paths["avx2"] = func(sums []int64, rows []int32) {
			sumRowsAVX2(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
		}
	}
	if simd.AVX512 {
		paths["avx512"] = func(sums []int64, rows []int32) {
			sumRowsAVX512(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
		}
	}
	return paths
}

// lanePaths lists the assembly of laneSums that this machine can run.
func lanePaths() map[string]func(sums *[lanes]int32, gamma []uint8) {
	paths := map[string]func(*[lanes]int32, []uint8){}
	if simd.AVX2 {
		paths["avx2"] = func(sums *[lanes]int32, gamma []uint8) { laneSumsAVX2(sums, &gamma[0], len(gamma)) }
	}
	if simd.AVX512 {
		paths["avx512"] = func(sums *[lanes]int32, gamma []uint8) { laneSumsAVX512(sums, &gamma[0], len(gamma)) }
	}
	return paths
}
