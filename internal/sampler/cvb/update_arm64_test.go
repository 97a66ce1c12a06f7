//go:build arm64 && !noasm

package cvb

// updatePaths lists the assembly of update.
func updatePaths() map[string]func(*tile) { return map[string]func(*tile){"neon": updateNEON} }

// sumPaths lists the assembly of sumRows.
func sumPaths() map[string]func(sums []int64, rows []int32) {
	return map[string]func([]int64, []int32){
		"neon": func(sums []int64, rows []int32) {
			sumRowsNEON(&sums[0], &rows[0], len(rows)/len(sums), len(sums))
		},
	}
}

// lanePaths lists the assembly of laneSums.
func lanePaths() map[string]func(sums *[lanes]int32, gamma []uint8) {
	return map[string]func(*[lanes]int32, []uint8){
		"neon": func(sums *[lanes]int32, gamma []uint8) { laneSumsNEON(sums, &gamma[0], len(gamma)) },
	}
}
