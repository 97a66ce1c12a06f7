//go:build (!amd64 && !arm64) || noasm

package blob

func packDense(set, values []byte, delta []int32) (n int, small bool) {
	return packDenseGo(set, values, delta)
}

func addDense(row []int32, totals []uint64, set, values []byte, sign int32) {
	addDenseGo(row, totals, set, values, sign)
}
