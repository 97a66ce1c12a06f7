//go:build !amd64 || noasm

package sampler

// There is no assembly here.

func chunkPaths() map[string]func(*chunkArgs) { return map[string]func(*chunkArgs){} }

func floatPaths() map[string]func(dst []float32, nwk []int32, beta float32) { return nil }

func dntPaths() map[string]func(dst []float32, ndk []uint16, alpha, inv []float32) { return nil }
