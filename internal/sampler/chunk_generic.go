//go:build !amd64 || noasm

package sampler

func floatRow(dst []float32, nwk []int32, beta float32) { floatRowGo(dst, nwk, beta) }

func dntRow(dst []float32, ndk []uint16, alpha, inv []float32) { dntRowGo(dst, ndk, alpha, inv) }

func drawChunkFast(a *chunkArgs) { drawChunkGo(a) }
