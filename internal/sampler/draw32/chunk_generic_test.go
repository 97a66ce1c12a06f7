//go:build !amd64 || noasm

package draw32

// There is no assembly here.

func chunkPaths() map[string]func(*ChunkArgs) { return map[string]func(*ChunkArgs){} }

func floatPaths() map[string]func(dst []float32, nwk []int32, beta float32) { return nil }

func dntPaths() map[string]func(dst []float32, ndk []uint16, alpha, inv []float32) { return nil }
