//go:build (!amd64 && !arm64) || noasm

package draw32

func FloatRow(dst []float32, nwk []int32, beta float32) { FloatRowGo(dst, nwk, beta) }

func dntRow(dst []float32, ndk []uint16, alpha, inv []float32) { dntRowGo(dst, ndk, alpha, inv) }

func drawTileFast(a *TileArgs) { drawTileGo(a) }
