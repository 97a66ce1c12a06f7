//go:build amd64 && !noasm

package simd

import "golang.org/x/sys/cpu"

func detect() {
	AVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT
	AVX512 = AVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD &&
		cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
}
