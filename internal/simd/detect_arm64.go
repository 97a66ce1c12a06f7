//go:build arm64 && !noasm

package simd

// detect finds what every 64-bit ARM has.
func detect() { NEON = true }
