//go:build (!amd64 && !arm64) || noasm

package draw32

// There is no assembly here.

func tilePaths() map[string]func(*TileArgs) { return map[string]func(*TileArgs){} }

func floatPaths() map[string]func(dst []float32, nwk []int32, beta float32) { return nil }

func dntPaths() map[string]func(dst []float32, ndk []uint16, alpha, inv []float32) { return nil }
