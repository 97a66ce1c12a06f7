//go:build arm64 && !noasm

package draw32

// tilePaths lists the assembly of drawTile.
func tilePaths() map[string]func(*TileArgs) { return map[string]func(*TileArgs){"neon": drawTileNEON} }

// floatPaths lists the assembly of floatRow.
func floatPaths() map[string]func(dst []float32, nwk []int32, beta float32) {
	return map[string]func([]float32, []int32, float32){
		"neon": func(dst []float32, nwk []int32, beta float32) {
			floatRowNEON(&dst[0], &nwk[0], len(nwk), beta)
		},
	}
}

// dntPaths lists the assembly of dntRow.
func dntPaths() map[string]func(dst []float32, ndk []uint16, alpha, inv []float32) {
	return map[string]func([]float32, []uint16, []float32, []float32){
		"neon": func(dst []float32, ndk []uint16, alpha, inv []float32) {
			dntRowNEON(&dst[0], &ndk[0], &alpha[0], &inv[0], len(dst))
		},
	}
}
