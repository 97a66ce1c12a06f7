package main

// target is an instruction set for which kernels are compiled.
type target struct {
	suffix string   // of the Go functions
	arch   string   // GOARCH
	file   string   // of the package, for what is compiled
	flags  []string // of the compiler
}

// common are the compiler's flags for every target. Nothing may fuse a multiplication with an addition or change the
// order of additions, because portable Go gives the bits.
var common = []string{
	"-O2", "-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable", "-Wno-unused-function", "-Wno-psabi",
	"-ffp-contract=off", "-ffreestanding", "-fno-builtin", "-fno-strict-aliasing",
	"-fomit-frame-pointer", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-stack-protector",
	"-fno-jump-tables", "-ffunction-sections", "-fno-addrsig", "-fno-ident", "-mno-red-zone",
}

var targets = []target{
	{
		// The tiny code model addresses constants by one instruction that is relative to itself. Register 18 belongs to
		// the system on macOS and Windows, and 28 holds Go's current goroutine.
		suffix: "NEON", arch: "arm64", file: "kernels_arm64.s",
		flags: []string{"--target=aarch64-linux-gnu", "-march=armv8-a", "-mcmodel=tiny", "-ffixed-x18", "-ffixed-x28"},
	},
	{
		// Go aligns its stack to 8 bytes on amd64, where C would expect 16.
		suffix: "AVX2", arch: "amd64", file: "kernels_avx2_amd64.s",
		flags: []string{"--target=x86_64-linux-gnu", "-march=haswell", "-mno-fma", "-mstack-alignment=8"},
	},
	{
		suffix: "AVX512", arch: "amd64", file: "kernels_avx512_amd64.s",
		flags: []string{
			"--target=x86_64-linux-gnu", "-march=skylake-avx512", "-mno-fma", "-mprefer-vector-width=512",
			"-mstack-alignment=8",
		},
	},
}
