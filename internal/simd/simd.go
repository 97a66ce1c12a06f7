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
