// Package simd decides once, at start, which vector instructions to use. Every kernel gives the same result with and
// without them; the portable Go beside it is its specification.
//
// The environment variable TOPOI_SIMD lowers the choice: "off" for portable Go,
// "avx2" to leave AVX-512 aside. The build tag noasm leaves assembly out.
package simd

import "os"

// Which instruction sets kernels may use.
var (
	AVX2   bool // with FMA3's companions BMI1, BMI2 and POPCNT
	AVX512 bool // F, BW, CD, DQ and VL
	NEON   bool // Advanced SIMD of ARMv8-A

	Vectors bool // AVX2 or NEON
)

func init() {
	detect()
	switch os.Getenv("TOPOI_SIMD") {
	case "off":
		AVX2, AVX512, NEON = false, false, false
	case "avx2":
		AVX512 = false
	}
	Vectors = AVX2 || NEON
}

// Name is the name of the instruction set that kernels use, or "" for portable Go.
func Name() string {
	switch {
	case AVX512:
		return "AVX-512"
	case AVX2:
		return "AVX2"
	case NEON:
		return "NEON"
	}
	return ""
}

// Without runs f with portable Go alone. Nothing else may compute meanwhile.
func Without(f func()) {
	avx2, avx512, neon := AVX2, AVX512, NEON
	AVX2, AVX512, NEON, Vectors = false, false, false, false
	defer func() { AVX2, AVX512, NEON, Vectors = avx2, avx512, neon, avx2 || neon }()
	f()
}
