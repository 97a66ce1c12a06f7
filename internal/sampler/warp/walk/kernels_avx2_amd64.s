// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 741c6ad733eda6d210fde764e6e53d24. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func drawAVX2(a *drawArgs)
TEXT ·drawAVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x20578b4c // movq 32(%rdi), %r10
	WORD $0x854d; BYTE $0xd2 // testq %r10, %r10
	LONG $0x02278e0f; WORD $0x0000 // jle BB1_22
	BYTE $0x55 // pushq %rbp
	WORD $0x8948; BYTE $0xe5 // movq %rsp, %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0xf0e48348 // andq $-16, %rsp
	LONG $0x60ec8348 // subq $96, %rsp
	WORD $0x8b48; BYTE $0x07 // movq (%rdi), %rax
	WORD $0x4f8b; BYTE $0x2c // movl 44(%rdi), %ecx
	WORD $0x578b; BYTE $0x34 // movl 52(%rdi), %edx
	WORD $0x778b; BYTE $0x28 // movl 40(%rdi), %esi
	LONG $0x30478b44 // movl 48(%rdi), %r8d
	WORD $0x3145; BYTE $0xe4 // xorl %r12d, %r12d
	LONG $0x24548948; BYTE $0x08 // movq %rdx, 8(%rsp)
	WORD $0x11eb // jmp BB1_2
	LONG $0x98148944 // BB1_19: movl %r10d, (%rax,%rbx,4)
	LONG $0x20578b4c // BB1_20: movq 32(%rdi), %r10
	WORD $0x394d; BYTE $0xd4 // cmpq %r10, %r12
	LONG $0x01d98d0f; WORD $0x0000 // jge BB1_21
	WORD $0x894c; BYTE $0xe3 // BB1_2: movq %r12, %rbx
	LONG $0x40c48349 // addq $64, %r12
	WORD $0x394d; BYTE $0xd4 // cmpq %r10, %r12
	WORD $0x894d; BYTE $0xd7 // movq %r10, %r15
	LONG $0xfc4c0f4d // cmovlq %r12, %r15
	WORD $0x3949; BYTE $0xda // cmpq %rbx, %r10
	WORD $0xdd7e // jle BB1_20
	LONG $0x2424894c // movq %r12, (%rsp)
	WORD $0xd231 // xorl %edx, %edx
	WORD $0x3145; BYTE $0xe4 // xorl %r12d, %r12d
	WORD $0x3145; BYTE $0xdb // xorl %r11d, %r11d
	LONG $0x66dd8949; LONG $0x66666666; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // movq %rbx, %r13
	LONG $0x104f8b4c // BB1_4: movq 16(%rdi), %r9
	LONG $0x18778b4c // movq 24(%rdi), %r14
	LONG $0xa9148b47 // movl (%r9,%r13,4), %r10d
	WORD $0x894d; BYTE $0xd1 // movq %r10, %r9
	LONG $0xc9af0f4c // imulq %rcx, %r9
	LONG $0xf7bb42c4; BYTE $0xc9 // shrxq %r8, %r9, %r9
	WORD $0x3941; BYTE $0xf2 // cmpl %esi, %r10d
	LONG $0xca430f4c // cmovaeq %rdx, %r9
	LONG $0x8e0c8b47 // movl (%r14,%r9,4), %r9d
	LONG $0xa80c8946 // movl %r9d, (%rax,%r13,4)
	WORD $0x894d; BYTE $0xde // movq %r11, %r14
	LONG $0xffdb8349 // sbbq $-1, %r11
	LONG $0x34648846; BYTE $0x10 // movb %r12b, 16(%rsp,%r14)
	WORD $0xff49; BYTE $0xc5 // incq %r13
	WORD $0xfe41; BYTE $0xc4 // incb %r12b
	WORD $0x394d; BYTE $0xfd // cmpq %r15, %r13
	WORD $0xc27c // jl BB1_4
	WORD $0x854d; BYTE $0xdb // testq %r11, %r11
	LONG $0x24548b48; BYTE $0x08 // movq 8(%rsp), %rdx
	LONG $0x24248b4c // movq (%rsp), %r12
	LONG $0xff70840f; WORD $0xffff // je BB1_20
	WORD $0xff49; BYTE $0xce // decq %r14
	WORD $0x3941; BYTE $0xf2 // cmpl %esi, %r10d
	LONG $0x0000b941; WORD $0x0000 // movl $0, %r9d
	LONG $0xffd18349 // adcq $-1, %r9
	LONG $0x0000bf41; WORD $0x0000 // movl $0, %r15d
	WORD $0x394d; BYTE $0xce // cmpq %r9, %r14
	WORD $0x6575 // jne BB1_7
	LONG $0x01c3f641 // BB1_15: testb $1, %r11b
	LONG $0x24248b4c // movq (%rsp), %r12
	LONG $0xff47840f; WORD $0xffff // je BB1_20
	LONG $0x4cb60f46; WORD $0x103c // movzbl 16(%rsp,%r15), %r9d
	WORD $0x014c; BYTE $0xcb // addq %r9, %rbx
	LONG $0x084f8b4c // movq 8(%rdi), %r9
	LONG $0x10578b4c // movq 16(%rdi), %r10
	LONG $0x9a148b45 // movl (%r10,%rbx,4), %r10d
	LONG $0x08e2c141 // shll $8, %r10d
	LONG $0x0cb60f45; BYTE $0x99 // movzbl (%r9,%rbx,4), %r9d
	WORD $0x0945; BYTE $0xd1 // orl %r10d, %r9d
	LONG $0xb1d96945; WORD $0x3779; BYTE $0x9e // imull $-1640531535, %r9d, %r11d
	LONG $0xdaaf0f4c // imulq %rdx, %r11
	WORD $0x894d; BYTE $0xda // movq %r11, %r10
	LONG $0x20eac149 // shrq $32, %r10
	LONG $0x38778b4c // movq 56(%rdi), %r14
	WORD $0x854d; BYTE $0xf6 // testq %r14, %r14
	LONG $0xff03840f; WORD $0xffff // je BB1_19
	LONG $0x961c3947 // cmpl %r11d, (%r14,%r10,4)
	LONG $0xfef9870f; WORD $0xffff // ja BB1_19
	LONG $0x404f8b4c // movq 64(%rdi), %r9
	LONG $0x91148b47 // movl (%r9,%r10,4), %r10d
	LONG $0xfffeece9; BYTE $0xff // jmp BB1_19
	WORD $0x894d; BYTE $0xdc // BB1_7: movq %r11, %r12
	LONG $0xfffeb949; LONG $0xffffffff; WORD $0x7fff // movabsq $9223372036854775806, %r9
	WORD $0x214d; BYTE $0xcc // andq %r9, %r12
	WORD $0x3145; BYTE $0xff // xorl %r15d, %r15d
	LONG $0x66661ceb; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // jmp BB1_8
	LONG $0xa8148946 // BB1_14: movl %r10d, (%rax,%r13,4)
	LONG $0x02c78349 // addq $2, %r15
	WORD $0x394d; BYTE $0xfc // cmpq %r15, %r12
	LONG $0xff6a840f; WORD $0xffff // je BB1_15
	LONG $0x6cb60f46; WORD $0x103c // BB1_8: movzbl 16(%rsp,%r15), %r13d
	WORD $0x0149; BYTE $0xdd // addq %rbx, %r13
	LONG $0x084f8b4c // movq 8(%rdi), %r9
	LONG $0x10578b4c // movq 16(%rdi), %r10
	LONG $0xaa148b47 // movl (%r10,%r13,4), %r10d
	LONG $0x08e2c141 // shll $8, %r10d
	LONG $0x0cb60f47; BYTE $0xa9 // movzbl (%r9,%r13,4), %r9d
	WORD $0x0945; BYTE $0xd1 // orl %r10d, %r9d
	LONG $0xb1f16945; WORD $0x3779; BYTE $0x9e // imull $-1640531535, %r9d, %r14d
	LONG $0xf2af0f4c // imulq %rdx, %r14
	WORD $0x894d; BYTE $0xf2 // movq %r14, %r10
	LONG $0x20eac149 // shrq $32, %r10
	LONG $0x384f8b4c // movq 56(%rdi), %r9
	WORD $0x854d; BYTE $0xc9 // testq %r9, %r9
	WORD $0x0e74 // je BB1_11
	LONG $0x91343947 // cmpl %r14d, (%r9,%r10,4)
	WORD $0x0877 // ja BB1_11
	LONG $0x404f8b4c // movq 64(%rdi), %r9
	LONG $0x91148b47 // movl (%r9,%r10,4), %r10d
	LONG $0xa8148946 // BB1_11: movl %r10d, (%rax,%r13,4)
	LONG $0x6cb60f46; WORD $0x113c // movzbl 17(%rsp,%r15), %r13d
	WORD $0x0149; BYTE $0xdd // addq %rbx, %r13
	LONG $0x084f8b4c // movq 8(%rdi), %r9
	LONG $0x10578b4c // movq 16(%rdi), %r10
	LONG $0xaa148b47 // movl (%r10,%r13,4), %r10d
	LONG $0x08e2c141 // shll $8, %r10d
	LONG $0x0cb60f47; BYTE $0xa9 // movzbl (%r9,%r13,4), %r9d
	WORD $0x0945; BYTE $0xd1 // orl %r10d, %r9d
	LONG $0xb1f16945; WORD $0x3779; BYTE $0x9e // imull $-1640531535, %r9d, %r14d
	LONG $0xf2af0f4c // imulq %rdx, %r14
	WORD $0x894d; BYTE $0xf2 // movq %r14, %r10
	LONG $0x20eac149 // shrq $32, %r10
	LONG $0x384f8b4c // movq 56(%rdi), %r9
	WORD $0x854d; BYTE $0xc9 // testq %r9, %r9
	LONG $0xff61840f; WORD $0xffff // je BB1_14
	LONG $0x91343947 // cmpl %r14d, (%r9,%r10,4)
	LONG $0xff57870f; WORD $0xffff // ja BB1_14
	LONG $0x404f8b4c // movq 64(%rdi), %r9
	LONG $0x91148b47 // movl (%r9,%r10,4), %r10d
	LONG $0xffff4ae9; BYTE $0xff // jmp BB1_14
	LONG $0xd8658d48 // BB1_21: leaq -40(%rbp), %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func expandAVX2(dst *uint32, topics *uint32, n int, cells *TopicCell)
TEXT ·expandAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ topics+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ cells+24(FP), CX
	PCALIGN $32
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0x01468e0f; WORD $0x0000 // jle BB2_8
	WORD $0xd089 // movl %edx, %eax
	WORD $0xe083; BYTE $0x03 // andl $3, %eax
	LONG $0x04fa8348 // cmpq $4, %rdx
	WORD $0x0873 // jae BB2_9
	WORD $0x3145; BYTE $0xc0 // xorl %r8d, %r8d
	LONG $0x0000e5e9; BYTE $0x00 // jmp BB2_3
	LONG $0xfffcb849; LONG $0xffffffff; WORD $0x7fff // BB2_9: movabsq $9223372036854775804, %r8
	WORD $0x214c; BYTE $0xc2 // andq %r8, %rdx
	LONG $0x0fc03145; WORD $0x401f; BYTE $0x00 // xorl %r8d, %r8d
	LONG $0x860c8b46 // BB2_10: movl (%rsi,%r8,4), %r9d
	LONG $0x6e79c1c4; BYTE $0xc1 // vmovd %r9d, %xmm0
	LONG $0x587de2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %ymm0
	LONG $0x04e1c149 // shlq $4, %r9
	LONG $0x090c634e // movslq (%rcx,%r9), %r9
	LONG $0x8f0c8d4e; LONG $0x441f0f66; WORD $0x0000 // leaq (%rdi,%r9,4), %r9
	LONG $0x077ffec5 // BB2_11: vmovdqu %ymm0, (%rdi)
	LONG $0x477ffec5; BYTE $0x20 // vmovdqu %ymm0, 32(%rdi)
	LONG $0x40c78348 // addq $64, %rdi
	WORD $0x394c; BYTE $0xcf // cmpq %r9, %rdi
	WORD $0xee72 // jb BB2_11
	LONG $0x867c8b42; BYTE $0x04 // movl 4(%rsi,%r8,4), %edi
	LONG $0xc76ef9c5 // vmovd %edi, %xmm0
	LONG $0x587de2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %ymm0
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x393c6348 // movslq (%rcx,%rdi), %rdi
	LONG $0xb93c8d49; LONG $0x00401f0f // leaq (%r9,%rdi,4), %rdi
	LONG $0x7f7ec1c4; BYTE $0x01 // BB2_13: vmovdqu %ymm0, (%r9)
	LONG $0x7f7ec1c4; WORD $0x2041 // vmovdqu %ymm0, 32(%r9)
	LONG $0x40c18349 // addq $64, %r9
	WORD $0x3949; BYTE $0xf9 // cmpq %rdi, %r9
	WORD $0xec72 // jb BB2_13
	LONG $0x864c8b46; BYTE $0x08 // movl 8(%rsi,%r8,4), %r9d
	LONG $0x6e79c1c4; BYTE $0xc1 // vmovd %r9d, %xmm0
	LONG $0x587de2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %ymm0
	LONG $0x04e1c149 // shlq $4, %r9
	LONG $0x090c634e // movslq (%rcx,%r9), %r9
	LONG $0x8f0c8d4e; BYTE $0x90 // leaq (%rdi,%r9,4), %r9
	LONG $0x077ffec5 // BB2_15: vmovdqu %ymm0, (%rdi)
	LONG $0x477ffec5; BYTE $0x20 // vmovdqu %ymm0, 32(%rdi)
	LONG $0x40c78348 // addq $64, %rdi
	WORD $0x394c; BYTE $0xcf // cmpq %r9, %rdi
	WORD $0xee72 // jb BB2_15
	LONG $0x867c8b42; BYTE $0x0c // movl 12(%rsi,%r8,4), %edi
	LONG $0xc76ef9c5 // vmovd %edi, %xmm0
	LONG $0x587de2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %ymm0
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x393c6348 // movslq (%rcx,%rdi), %rdi
	LONG $0xb93c8d49; LONG $0x00401f0f // leaq (%r9,%rdi,4), %rdi
	LONG $0x7f7ec1c4; BYTE $0x01 // BB2_17: vmovdqu %ymm0, (%r9)
	LONG $0x7f7ec1c4; WORD $0x2041 // vmovdqu %ymm0, 32(%r9)
	LONG $0x40c18349 // addq $64, %r9
	WORD $0x3949; BYTE $0xf9 // cmpq %rdi, %r9
	WORD $0xec72 // jb BB2_17
	LONG $0x04c08349 // addq $4, %r8
	WORD $0x3949; BYTE $0xd0 // cmpq %rdx, %r8
	LONG $0xff2f850f; WORD $0xffff // jne BB2_10
	WORD $0x8548; BYTE $0xc0 // BB2_3: testq %rax, %rax
	WORD $0x4974 // je BB2_8
	LONG $0x1f0fd231; LONG $0x00000084; WORD $0x0000 // xorl %edx, %edx
	WORD $0x8949; BYTE $0xf9 // BB2_5: movq %rdi, %r9
	LONG $0x863c8b42 // movl (%rsi,%r8,4), %edi
	LONG $0xc76ef9c5 // vmovd %edi, %xmm0
	LONG $0x587de2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %ymm0
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x393c6348 // movslq (%rcx,%rdi), %rdi
	LONG $0xb93c8d49; LONG $0x00401f0f // leaq (%r9,%rdi,4), %rdi
	LONG $0x7f7ec1c4; BYTE $0x01 // BB2_6: vmovdqu %ymm0, (%r9)
	LONG $0x7f7ec1c4; WORD $0x2041 // vmovdqu %ymm0, 32(%r9)
	LONG $0x40c18349 // addq $64, %r9
	WORD $0x3949; BYTE $0xf9 // cmpq %rdi, %r9
	WORD $0xec72 // jb BB2_6
	WORD $0xff49; BYTE $0xc0 // incq %r8
	WORD $0xff48; BYTE $0xc2 // incq %rdx
	WORD $0x3948; BYTE $0xc2 // cmpq %rax, %rdx
	WORD $0xc175 // jne BB2_5
	WORD $0xf8c5; BYTE $0x77 // BB2_8: vzeroupper
	RET

// func load32AVX2(a *recordArgs) int
TEXT ·load32AVX2(SB), 0, $144-16
	MOVQ a+0(FP), DI
	PCALIGN $32
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x38ec8348 // subq $56, %rsp
	LONG $0x50778b4c // movq 80(%rdi), %r14
	WORD $0x854d; BYTE $0xf6 // testq %r14, %r14
	LONG $0x01138e0f; WORD $0x0000 // jle BB1_1
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x24448948; BYTE $0x20 // movq %rax, 32(%rsp)
	LONG $0x10478b48 // movq 16(%rdi), %rax
	LONG $0x24448948; BYTE $0x18 // movq %rax, 24(%rsp)
	LONG $0x18478b48 // movq 24(%rdi), %rax
	LONG $0x24448948; BYTE $0x10 // movq %rax, 16(%rsp)
	LONG $0x20478b48 // movq 32(%rdi), %rax
	LONG $0x24448948; BYTE $0x08 // movq %rax, 8(%rsp)
	LONG $0x28478b48 // movq 40(%rdi), %rax
	LONG $0x24048948 // movq %rax, (%rsp)
	LONG $0x60578b4c // movq 96(%rdi), %r10
	LONG $0xffc0c748; WORD $0xffff; BYTE $0xff // movq $-1, %rax
	LONG $0xf7a962c4; BYTE $0xd8 // shlxq %r10, %rax, %r11
	WORD $0xf749; BYTE $0xd3 // notq %r11
	WORD $0xc031 // xorl %eax, %eax
	WORD $0xf631 // xorl %esi, %esi
	WORD $0x1deb // jmp BB1_3
	LONG $0x50778b4c // BB1_6: movq 80(%rdi), %r14
	LONG $0x24448b48; BYTE $0x30 // movq 48(%rsp), %rax
	WORD $0x0148; BYTE $0xc8 // addq %rcx, %rax
	LONG $0x24748b48; BYTE $0x28 // movq 40(%rsp), %rsi
	WORD $0xff48; BYTE $0xc6 // BB1_7: incq %rsi
	WORD $0x394c; BYTE $0xf6 // cmpq %r14, %rsi
	LONG $0x00b38d0f; WORD $0x0000 // jge BB1_8
	LONG $0x760c8d48 // BB1_3: leaq (%rsi,%rsi,2), %rcx
	LONG $0x38578b48 // movq 56(%rdi), %rdx
	LONG $0x088a7c83; BYTE $0x00 // cmpl $0, 8(%rdx,%rcx,4)
	WORD $0xe574 // je BB1_7
	LONG $0x24748948; BYTE $0x28 // movq %rsi, 40(%rsp)
	LONG $0x40778b48 // movq 64(%rdi), %rsi
	LONG $0x8a348d4c // leaq (%rdx,%rcx,4), %r14
	LONG $0x8a3c8b44 // movl (%rdx,%rcx,4), %r15d
	LONG $0x048a4c8b // movl 4(%rdx,%rcx,4), %ecx
	LONG $0xfe148b4a // movq (%rsi,%r15,8), %rdx
	LONG $0x02e1c148 // shlq $2, %rcx
	LONG $0x913c8d4c // leaq (%rcx,%rdx,4), %r15
	LONG $0x244c8b48; BYTE $0x20 // movq 32(%rsp), %rcx
	LONG $0x81248d4c // leaq (%rcx,%rax,4), %r12
	LONG $0x244c8b48; BYTE $0x18 // movq 24(%rsp), %rcx
	LONG $0x812c8d4c // leaq (%rcx,%rax,4), %r13
	LONG $0x244c8b48; BYTE $0x10 // movq 16(%rsp), %rcx
	LONG $0x812c8d48 // leaq (%rcx,%rax,4), %rbp
	LONG $0x244c8b48; BYTE $0x08 // movq 8(%rsp), %rcx
	LONG $0x81148d48 // leaq (%rcx,%rax,4), %rdx
	LONG $0x240c8b48 // movq (%rsp), %rcx
	LONG $0x24448948; BYTE $0x30 // movq %rax, 48(%rsp)
	LONG $0x81348d48 // leaq (%rcx,%rax,4), %rsi
	WORD $0xc931 // xorl %ecx, %ecx
	WORD $0x8b4c; BYTE $0x07 // BB1_5: movq (%rdi), %r8
	WORD $0x014d; BYTE $0xf8 // addq %r15, %r8
	LONG $0x88048b45 // movl (%r8,%rcx,4), %r8d
	LONG $0x044e8b45 // movl 4(%r14), %r9d
	WORD $0x0141; BYTE $0xc9 // addl %ecx, %r9d
	WORD $0x8b41; BYTE $0x1e // movl (%r14), %ebx
	LONG $0x8c0c8945 // movl %r9d, (%r12,%rcx,4)
	LONG $0x8d5c8941; BYTE $0x00 // movl %ebx, (%r13,%rcx,4)
	LONG $0xf7ab42c4; BYTE $0xc8 // shrxq %r10, %r8, %r9
	WORD $0x2145; BYTE $0xd8 // andl %r11d, %r8d
	LONG $0x8d448944; BYTE $0x00 // movl %r8d, (%rbp,%rcx,4)
	LONG $0xf7ab42c4; BYTE $0xc1 // shrxq %r10, %r9, %r8
	WORD $0x2145; BYTE $0xd9 // andl %r11d, %r9d
	LONG $0x8a0c8944 // movl %r9d, (%rdx,%rcx,4)
	WORD $0x2145; BYTE $0xd8 // andl %r11d, %r8d
	LONG $0x8e048944 // movl %r8d, (%rsi,%rcx,4)
	WORD $0xff48; BYTE $0xc1 // incq %rcx
	LONG $0x08468b45 // movl 8(%r14), %r8d
	WORD $0x394c; BYTE $0xc1 // cmpq %r8, %rcx
	WORD $0xb772 // jb BB1_5
	LONG $0xffff32e9; BYTE $0xff // jmp BB1_6
	WORD $0xc031 // BB1_1: xorl %eax, %eax
	LONG $0x38c48348 // BB1_8: addq $56, %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	MOVQ AX, ret+8(FP)
	RET

// func load64AVX2(a *recordArgs) int
TEXT ·load64AVX2(SB), 0, $144-16
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x504f8b48 // movq 80(%rdi), %rcx
	WORD $0x8548; BYTE $0xc9 // testq %rcx, %rcx
	LONG $0x015a8e0f; WORD $0x0000 // jle BB0_1
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x40ec8348 // subq $64, %rsp
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x24448948; BYTE $0x28 // movq %rax, 40(%rsp)
	LONG $0x10478b48 // movq 16(%rdi), %rax
	LONG $0x24448948; BYTE $0x20 // movq %rax, 32(%rsp)
	LONG $0x18478b48 // movq 24(%rdi), %rax
	LONG $0x24448948; BYTE $0x18 // movq %rax, 24(%rsp)
	LONG $0x20478b48 // movq 32(%rdi), %rax
	LONG $0x24448948; BYTE $0x10 // movq %rax, 16(%rsp)
	LONG $0x28478b48 // movq 40(%rdi), %rax
	LONG $0x24448948; BYTE $0x08 // movq %rax, 8(%rsp)
	LONG $0x30478b48 // movq 48(%rdi), %rax
	LONG $0x24048948 // movq %rax, (%rsp)
	LONG $0x605f8b4c // movq 96(%rdi), %r11
	LONG $0xffc0c748; WORD $0xffff; BYTE $0xff // movq $-1, %rax
	LONG $0xf7a1e2c4; BYTE $0xd8 // shlxq %r11, %rax, %rbx
	WORD $0xf748; BYTE $0xd3 // notq %rbx
	WORD $0x3145; BYTE $0xc9 // xorl %r9d, %r9d
	WORD $0xc031 // xorl %eax, %eax
	LONG $0x0f6623eb; LONG $0x0000441f // jmp BB0_4
	LONG $0x504f8b48 // BB0_7: movq 80(%rdi), %rcx
	LONG $0x244c8b4c; BYTE $0x38 // movq 56(%rsp), %r9
	WORD $0x0149; BYTE $0xf1 // addq %rsi, %r9
	LONG $0x24448b48; BYTE $0x30 // movq 48(%rsp), %rax
	WORD $0xff48; BYTE $0xc0 // BB0_8: incq %rax
	WORD $0x3948; BYTE $0xc8 // cmpq %rcx, %rax
	LONG $0x00c78d0f; WORD $0x0000 // jge BB0_9
	LONG $0x40148d48 // BB0_4: leaq (%rax,%rax,2), %rdx
	LONG $0x38778b48 // movq 56(%rdi), %rsi
	LONG $0x08967c83; BYTE $0x00 // cmpl $0, 8(%rsi,%rdx,4)
	WORD $0xe574 // je BB0_8
	LONG $0x24448948; BYTE $0x30 // movq %rax, 48(%rsp)
	LONG $0x404f8b48 // movq 64(%rdi), %rcx
	LONG $0x963c8d4c // leaq (%rsi,%rdx,4), %r15
	LONG $0x96048b44 // movl (%rsi,%rdx,4), %r8d
	LONG $0x0496548b // movl 4(%rsi,%rdx,4), %edx
	LONG $0xc10c8b4a // movq (%rcx,%r8,8), %rcx
	LONG $0x03e2c148 // shlq $3, %rdx
	LONG $0xca248d4c // leaq (%rdx,%rcx,8), %r12
	LONG $0x24448b48; BYTE $0x28 // movq 40(%rsp), %rax
	LONG $0x882c8d4e // leaq (%rax,%r9,4), %r13
	LONG $0x24448b48; BYTE $0x20 // movq 32(%rsp), %rax
	LONG $0x882c8d4a // leaq (%rax,%r9,4), %rbp
	LONG $0x24448b48; BYTE $0x18 // movq 24(%rsp), %rax
	LONG $0x880c8d4a // leaq (%rax,%r9,4), %rcx
	LONG $0x24448b48; BYTE $0x10 // movq 16(%rsp), %rax
	LONG $0x88148d4a // leaq (%rax,%r9,4), %rdx
	LONG $0x24448b48; BYTE $0x08 // movq 8(%rsp), %rax
	LONG $0x88048d4e // leaq (%rax,%r9,4), %r8
	LONG $0x24048b48 // movq (%rsp), %rax
	LONG $0x244c894c; BYTE $0x38 // movq %r9, 56(%rsp)
	LONG $0x880c8d4e // leaq (%rax,%r9,4), %r9
	LONG $0x1f0ff631; LONG $0x00000080; BYTE $0x00 // xorl %esi, %esi
	WORD $0x8b4c; BYTE $0x17 // BB0_6: movq (%rdi), %r10
	WORD $0x014d; BYTE $0xe2 // addq %r12, %r10
	LONG $0xf2148b4d // movq (%r10,%rsi,8), %r10
	LONG $0x04778b45 // movl 4(%r15), %r14d
	WORD $0x0141; BYTE $0xf6 // addl %esi, %r14d
	WORD $0x8b41; BYTE $0x07 // movl (%r15), %eax
	LONG $0xb5748945; BYTE $0x00 // movl %r14d, (%r13,%rsi,4)
	LONG $0x00b54489 // movl %eax, (%rbp,%rsi,4)
	LONG $0xf7a3c2c4; BYTE $0xc2 // shrxq %r11, %r10, %rax
	WORD $0x2141; BYTE $0xda // andl %ebx, %r10d
	LONG $0xb1148944 // movl %r10d, (%rcx,%rsi,4)
	LONG $0xf7a362c4; BYTE $0xd0 // shrxq %r11, %rax, %r10
	WORD $0xd821 // andl %ebx, %eax
	WORD $0x0489; BYTE $0xb2 // movl %eax, (%rdx,%rsi,4)
	LONG $0xf7a3c2c4; BYTE $0xc2 // shrxq %r11, %r10, %rax
	WORD $0x2141; BYTE $0xda // andl %ebx, %r10d
	LONG $0xb0148945 // movl %r10d, (%r8,%rsi,4)
	LONG $0xb1048941 // movl %eax, (%r9,%rsi,4)
	WORD $0xff48; BYTE $0xc6 // incq %rsi
	LONG $0x08478b41 // movl 8(%r15), %eax
	WORD $0x3948; BYTE $0xc6 // cmpq %rax, %rsi
	WORD $0xb172 // jb BB0_6
	LONG $0xffff1ce9; BYTE $0xff // jmp BB0_7
	LONG $0x40c48348 // BB0_9: addq $64, %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	WORD $0x894c; BYTE $0xc8 // movq %r9, %rax
	WORD $0x06eb // jmp end.load64
	WORD $0x3145; BYTE $0xc9 // BB0_1: xorl %r9d, %r9d
	WORD $0x894c; BYTE $0xc8 // movq %r9, %rax
	MOVQ AX, ret+8(FP)
	RET

// func loadDoc32AVX2(a *recordArgs)
TEXT ·loadDoc32AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x507f8348; BYTE $0x00 // cmpq $0, 80(%rdi)
	LONG $0x007f8e0f; WORD $0x0000 // jle BB5_4
	BYTE $0x55 // pushq %rbp
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x104f8b48 // movq 16(%rdi), %rcx
	LONG $0x18578b48 // movq 24(%rdi), %rdx
	LONG $0x20778b48 // movq 32(%rdi), %rsi
	LONG $0x28478b4c // movq 40(%rdi), %r8
	LONG $0x604f8b4c // movq 96(%rdi), %r9
	LONG $0xffc2c749; WORD $0xffff; BYTE $0xff // movq $-1, %r10
	LONG $0xf7b142c4; BYTE $0xd2 // shlxq %r9, %r10, %r10
	WORD $0xf749; BYTE $0xd2 // notq %r10
	LONG $0x0fdb3145; LONG $0x0000801f; WORD $0x0000 // xorl %r11d, %r11d
	WORD $0x8b48; BYTE $0x1f // BB5_2: movq (%rdi), %rbx
	LONG $0x48778b4c // movq 72(%rdi), %r14
	LONG $0x34b70f47; BYTE $0x5e // movzwl (%r14,%r11,2), %r14d
	LONG $0xb31c8b42 // movl (%rbx,%r14,4), %ebx
	WORD $0x6f8b; BYTE $0x58 // movl 88(%rdi), %ebp
	LONG $0x98348946 // movl %r14d, (%rax,%r11,4)
	LONG $0x992c8942 // movl %ebp, (%rcx,%r11,4)
	LONG $0xf7b362c4; BYTE $0xf3 // shrxq %r9, %rbx, %r14
	WORD $0x2144; BYTE $0xd3 // andl %r10d, %ebx
	LONG $0x9a1c8942 // movl %ebx, (%rdx,%r11,4)
	LONG $0xf7b3c2c4; BYTE $0xde // shrxq %r9, %r14, %rbx
	WORD $0x8944; BYTE $0xf5 // movl %r14d, %ebp
	WORD $0x2144; BYTE $0xd5 // andl %r10d, %ebp
	LONG $0x9e2c8942 // movl %ebp, (%rsi,%r11,4)
	WORD $0x2144; BYTE $0xd3 // andl %r10d, %ebx
	LONG $0x981c8943 // movl %ebx, (%r8,%r11,4)
	WORD $0xff49; BYTE $0xc3 // incq %r11
	LONG $0x505f3b4c // cmpq 80(%rdi), %r11
	WORD $0xba7c // jl BB5_2
	BYTE $0x5b // popq %rbx
	WORD $0x5e41 // popq %r14
	BYTE $0x5d // popq %rbp
	RET

// func loadDoc64AVX2(a *recordArgs)
TEXT ·loadDoc64AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x507f8348; BYTE $0x00 // cmpq $0, 80(%rdi)
	LONG $0x008d8e0f; WORD $0x0000 // jle BB4_4
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x104f8b48 // movq 16(%rdi), %rcx
	LONG $0x18578b48 // movq 24(%rdi), %rdx
	LONG $0x20778b48 // movq 32(%rdi), %rsi
	LONG $0x28478b4c // movq 40(%rdi), %r8
	LONG $0x304f8b4c // movq 48(%rdi), %r9
	LONG $0x60578b4c // movq 96(%rdi), %r10
	LONG $0xffc3c749; WORD $0xffff; BYTE $0xff // movq $-1, %r11
	LONG $0xf7a942c4; BYTE $0xdb // shlxq %r10, %r11, %r11
	WORD $0xf749; BYTE $0xd3 // notq %r11
	LONG $0x9066db31 // xorl %ebx, %ebx
	WORD $0x8b4c; BYTE $0x37 // BB4_2: movq (%rdi), %r14
	LONG $0x487f8b4c // movq 72(%rdi), %r15
	LONG $0x3cb70f45; BYTE $0x5f // movzwl (%r15,%rbx,2), %r15d
	LONG $0xfe348b4f // movq (%r14,%r15,8), %r14
	WORD $0x6f8b; BYTE $0x58 // movl 88(%rdi), %ebp
	LONG $0x983c8944 // movl %r15d, (%rax,%rbx,4)
	WORD $0x2c89; BYTE $0x99 // movl %ebp, (%rcx,%rbx,4)
	LONG $0xf7ab42c4; BYTE $0xfe // shrxq %r10, %r14, %r15
	WORD $0x8944; BYTE $0xf5 // movl %r14d, %ebp
	WORD $0x2144; BYTE $0xdd // andl %r11d, %ebp
	WORD $0x2c89; BYTE $0x9a // movl %ebp, (%rdx,%rbx,4)
	LONG $0xf7ab42c4; BYTE $0xf7 // shrxq %r10, %r15, %r14
	WORD $0x8944; BYTE $0xfd // movl %r15d, %ebp
	WORD $0x2144; BYTE $0xdd // andl %r11d, %ebp
	WORD $0x2c89; BYTE $0x9e // movl %ebp, (%rsi,%rbx,4)
	LONG $0xf7ab42c4; BYTE $0xfe // shrxq %r10, %r14, %r15
	WORD $0x8944; BYTE $0xf5 // movl %r14d, %ebp
	WORD $0x2144; BYTE $0xdd // andl %r11d, %ebp
	LONG $0x982c8941 // movl %ebp, (%r8,%rbx,4)
	LONG $0x993c8945 // movl %r15d, (%r9,%rbx,4)
	WORD $0xff48; BYTE $0xc3 // incq %rbx
	LONG $0x505f3b48 // cmpq 80(%rdi), %rbx
	WORD $0xae7c // jl BB4_2
	BYTE $0x5b // popq %rbx
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func movedQuadsAVX2(dst *uint64, a *movedArgs) int
TEXT ·movedQuadsAVX2(SB), 0, $144-24
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	PCALIGN $32
	LONG $0x18568b48 // movq 24(%rsi), %rdx
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0x008a8e0f; WORD $0x0000 // jle BB8_1
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	WORD $0x8b4c; BYTE $0x06 // movq (%rsi), %r8
	LONG $0x084e8b4c // movq 8(%rsi), %r9
	WORD $0xc031 // xorl %eax, %eax
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	WORD $0xc931 // xorl %ecx, %ecx
	LONG $0x666613eb; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // jmp BB8_4
	WORD $0xff48; BYTE $0xc1 // BB8_8: incq %rcx
	WORD $0x3948; BYTE $0xd1 // cmpq %rdx, %rcx
	WORD $0x6974 // je BB8_9
	LONG $0x491c8d48 // BB8_4: leaq (%rcx,%rcx,2), %rbx
	LONG $0x995c8b45; BYTE $0x08 // movl 8(%r9,%rbx,4), %r11d
	WORD $0x014d; BYTE $0xda // addq %r11, %r10
	LONG $0x00fa8149; WORD $0x0002; BYTE $0x00 // cmpq $512, %r10
	WORD $0x5777 // ja BB8_10
	WORD $0x854d; BYTE $0xdb // testq %r11, %r11
	WORD $0xde74 // je BB8_8
	LONG $0x991c8d49 // leaq (%r9,%rbx,4), %rbx
	LONG $0x10768b4c // movq 16(%rsi), %r14
	WORD $0x8b44; BYTE $0x3b // movl (%rbx), %r15d
	WORD $0x5b8b; BYTE $0x04 // movl 4(%rbx), %ebx
	LONG $0xfe348b4f // movq (%r14,%r15,8), %r14
	LONG $0xf0348d4f // leaq (%r8,%r14,8), %r14
	LONG $0xde1c8d49 // leaq (%r14,%rbx,8), %rbx
	LONG $0x90f63145 // xorl %r14d, %r14d
	LONG $0xf33c8b4e // BB8_7: movq (%rbx,%r14,8), %r15
	LONG $0xc73c894c // movq %r15, (%rdi,%rax,8)
	LONG $0xefb70f41 // movzwl %r15w, %ebp
	LONG $0x30efc149 // shrq $48, %r15
	WORD $0x3145; BYTE $0xe4 // xorl %r12d, %r12d
	WORD $0x3944; BYTE $0xfd // cmpl %r15d, %ebp
	LONG $0xc4950f41 // setne %r12b
	WORD $0x014c; BYTE $0xe0 // addq %r12, %rax
	WORD $0xff49; BYTE $0xc6 // incq %r14
	WORD $0x394d; BYTE $0xf3 // cmpq %r14, %r11
	WORD $0xdb75 // jne BB8_7
	WORD $0x99eb // jmp BB8_8
	WORD $0xc931 // BB8_1: xorl %ecx, %ecx
	WORD $0xc031 // xorl %eax, %eax
	LONG $0x204e8948 // movq %rcx, 32(%rsi)
	WORD $0x0feb // jmp end.movedQuads
	WORD $0x8948; BYTE $0xd1 // BB8_9: movq %rdx, %rcx
	BYTE $0x5b // BB8_10: popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	LONG $0x204e8948 // movq %rcx, 32(%rsi)
	MOVQ AX, ret+16(FP)
	RET

// func prefetchCells64AVX2(a *recordArgs, cells *TopicCell)
TEXT ·prefetchCells64AVX2(SB), 0, $144-16
	MOVQ a+0(FP), DI
	MOVQ cells+8(FP), SI
	PCALIGN $32
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x20ec8348 // subq $32, %rsp
	LONG $0x243c8948 // movq %rdi, (%rsp)
	LONG $0x50478b48 // movq 80(%rdi), %rax
	LONG $0x24448948; BYTE $0x18 // movq %rax, 24(%rsp)
	WORD $0x8548; BYTE $0xc0 // testq %rax, %rax
	LONG $0x01658e0f; WORD $0x0000 // jle BB11_8
	LONG $0x24048b48 // movq (%rsp), %rax
	LONG $0x60488b48 // movq 96(%rax), %rcx
	LONG $0xffc2c748; WORD $0xffff; BYTE $0xff // movq $-1, %rdx
	LONG $0xf7f1e2c4; BYTE $0xd2 // shlxq %rcx, %rdx, %rdx
	WORD $0xf748; BYTE $0xd2 // notq %rdx
	LONG $0x38788b48 // movq 56(%rax), %rdi
	LONG $0x40408b48 // movq 64(%rax), %rax
	LONG $0x24448948; BYTE $0x08 // movq %rax, 8(%rsp)
	LONG $0x09148d4c // leaq (%rcx,%rcx), %r10
	WORD $0x3145; BYTE $0xdb // xorl %r11d, %r11d
	LONG $0x66661deb; LONG $0x66666666; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // jmp BB11_2
	WORD $0xff49; BYTE $0xc3 // BB11_7: incq %r11
	LONG $0x245c3b4c; BYTE $0x18 // cmpq 24(%rsp), %r11
	LONG $0x011b840f; WORD $0x0000 // je BB11_8
	LONG $0x5b0c8d4f // BB11_2: leaq (%r11,%r11,2), %r9
	LONG $0x8f5c8b42; BYTE $0x08 // movl 8(%rdi,%r9,4), %ebx
	WORD $0x8548; BYTE $0xdb // testq %rbx, %rbx
	WORD $0xe474 // je BB11_7
	WORD $0x8949; BYTE $0xfe // movq %rdi, %r14
	LONG $0x8f0c8d4e // leaq (%rdi,%r9,4), %r9
	WORD $0x8b45; BYTE $0x39 // movl (%r9), %r15d
	LONG $0x04798b41 // movl 4(%r9), %edi
	LONG $0x24448b48; BYTE $0x08 // movq 8(%rsp), %rax
	LONG $0xf83c8b4e // movq (%rax,%r15,8), %r15
	LONG $0x24048b48 // movq (%rsp), %rax
	WORD $0x8b4c; BYTE $0x20 // movq (%rax), %r12
	WORD $0xfb83; BYTE $0x01 // cmpl $1, %ebx
	LONG $0x247c8948; BYTE $0x10 // movq %rdi, 16(%rsp)
	WORD $0x0c75 // jne BB11_9
	WORD $0x3145; BYTE $0xed // xorl %r13d, %r13d
	LONG $0x00008ee9; LONG $0x401f0f00; BYTE $0x00 // jmp BB11_5
	WORD $0xdd89 // BB11_9: movl %ebx, %ebp
	WORD $0xe583; BYTE $0xfe // andl $-2, %ebp
	LONG $0xfd0c8d4c; LONG $0x00000000 // leaq (,%rdi,8), %r9
	LONG $0xf90c8d4f // leaq (%r9,%r15,8), %r9
	WORD $0x014d; BYTE $0xe1 // addq %r12, %r9
	LONG $0x08c18349 // addq $8, %r9
	LONG $0x0fed3145; LONG $0x0000441f // xorl %r13d, %r13d
	LONG $0xe9448b4b; BYTE $0xf8 // BB11_10: movq -8(%r9,%r13,8), %rax
	LONG $0xf7f3e2c4; BYTE $0xf8 // shrxq %rcx, %rax, %rdi
	LONG $0xf7ab62c4; BYTE $0xc0 // shrxq %r10, %rax, %r8
	WORD $0x2148; BYTE $0xd0 // andq %rdx, %rax
	LONG $0x04e0c148 // shlq $4, %rax
	LONG $0x060c180f // prefetcht0 (%rsi,%rax)
	WORD $0x2148; BYTE $0xd7 // andq %rdx, %rdi
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x3e0c180f // prefetcht0 (%rsi,%rdi)
	WORD $0x2149; BYTE $0xd0 // andq %rdx, %r8
	LONG $0x04e0c149 // shlq $4, %r8
	LONG $0x0c180f42; BYTE $0x06 // prefetcht0 (%rsi,%r8)
	LONG $0xe9048b4b // movq (%r9,%r13,8), %rax
	LONG $0xf7f3e2c4; BYTE $0xf8 // shrxq %rcx, %rax, %rdi
	LONG $0xf7ab62c4; BYTE $0xc0 // shrxq %r10, %rax, %r8
	WORD $0x2148; BYTE $0xd0 // andq %rdx, %rax
	LONG $0x04e0c148 // shlq $4, %rax
	LONG $0x060c180f // prefetcht0 (%rsi,%rax)
	WORD $0x2148; BYTE $0xd7 // andq %rdx, %rdi
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x3e0c180f // prefetcht0 (%rsi,%rdi)
	WORD $0x2149; BYTE $0xd0 // andq %rdx, %r8
	LONG $0x04e0c149 // shlq $4, %r8
	LONG $0x0c180f42; BYTE $0x06 // prefetcht0 (%rsi,%r8)
	LONG $0x02c58349 // addq $2, %r13
	WORD $0x394c; BYTE $0xed // cmpq %r13, %rbp
	WORD $0x9675 // jne BB11_10
	WORD $0xc3f6; BYTE $0x01 // BB11_5: testb $1, %bl
	WORD $0x894c; BYTE $0xf7 // movq %r14, %rdi
	LONG $0xff1a840f; WORD $0xffff // je BB11_7
	LONG $0xfc0c8d4f // leaq (%r12,%r15,8), %r9
	LONG $0x24448b48; BYTE $0x10 // movq 16(%rsp), %rax
	LONG $0xc10c8d4d // leaq (%r9,%rax,8), %r9
	LONG $0xe90c8b4f // movq (%r9,%r13,8), %r9
	LONG $0xf7f3c2c4; BYTE $0xd9 // shrxq %rcx, %r9, %rbx
	LONG $0xf7ab42c4; BYTE $0xf1 // shrxq %r10, %r9, %r14
	WORD $0x2149; BYTE $0xd1 // andq %rdx, %r9
	LONG $0x04e1c149 // shlq $4, %r9
	LONG $0x0c180f42; BYTE $0x0e // prefetcht0 (%rsi,%r9)
	WORD $0x2148; BYTE $0xd3 // andq %rdx, %rbx
	LONG $0x04e3c148 // shlq $4, %rbx
	LONG $0x1e0c180f // prefetcht0 (%rsi,%rbx)
	WORD $0x2149; BYTE $0xd6 // andq %rdx, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x0c180f42; BYTE $0x36 // prefetcht0 (%rsi,%r14)
	LONG $0xfffed7e9; BYTE $0xff // jmp BB11_7
	LONG $0x20c48348 // BB11_8: addq $32, %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func prefetchDocCells64AVX2(a *recordArgs, cells *TopicCell)
TEXT ·prefetchDocCells64AVX2(SB), 0, $144-16
	MOVQ a+0(FP), DI
	MOVQ cells+8(FP), SI
	PCALIGN $32
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	LONG $0x50478b4c // movq 80(%rdi), %r8
	WORD $0x854d; BYTE $0xc0 // testq %r8, %r8
	LONG $0x00ee8e0f; WORD $0x0000 // jle BB12_5
	LONG $0x604f8b48 // movq 96(%rdi), %rcx
	LONG $0xffc0c748; WORD $0xffff; BYTE $0xff // movq $-1, %rax
	LONG $0xf7f1e2c4; BYTE $0xc0 // shlxq %rcx, %rax, %rax
	WORD $0xf748; BYTE $0xd0 // notq %rax
	WORD $0x8b4c; BYTE $0x0f // movq (%rdi), %r9
	LONG $0x487f8b48 // movq 72(%rdi), %rdi
	LONG $0x09148d48 // leaq (%rcx,%rcx), %rdx
	LONG $0x01f88349 // cmpq $1, %r8
	WORD $0x0875 // jne BB12_6
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	LONG $0x000088e9; BYTE $0x00 // jmp BB12_3
	LONG $0xfffebb49; LONG $0xffffffff; WORD $0x7fff // BB12_6: movabsq $9223372036854775806, %r11
	WORD $0x214d; BYTE $0xc3 // andq %r8, %r11
	LONG $0x66d23145; BYTE $0x90 // xorl %r10d, %r10d
	LONG $0x1cb70f42; BYTE $0x57 // BB12_7: movzwl (%rdi,%r10,2), %ebx
	LONG $0xd91c8b49 // movq (%r9,%rbx,8), %rbx
	LONG $0xf7f362c4; BYTE $0xf3 // shrxq %rcx, %rbx, %r14
	LONG $0xf7eb62c4; BYTE $0xfb // shrxq %rdx, %rbx, %r15
	WORD $0x2148; BYTE $0xc3 // andq %rax, %rbx
	LONG $0x04e3c148 // shlq $4, %rbx
	LONG $0x1e0c180f // prefetcht0 (%rsi,%rbx)
	WORD $0x2149; BYTE $0xc6 // andq %rax, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x0c180f42; BYTE $0x36 // prefetcht0 (%rsi,%r14)
	WORD $0x2149; BYTE $0xc7 // andq %rax, %r15
	LONG $0x04e7c149 // shlq $4, %r15
	LONG $0x0c180f42; BYTE $0x3e // prefetcht0 (%rsi,%r15)
	LONG $0x5cb70f42; WORD $0x0257 // movzwl 2(%rdi,%r10,2), %ebx
	LONG $0xd91c8b49 // movq (%r9,%rbx,8), %rbx
	LONG $0xf7f362c4; BYTE $0xf3 // shrxq %rcx, %rbx, %r14
	LONG $0xf7eb62c4; BYTE $0xfb // shrxq %rdx, %rbx, %r15
	WORD $0x2148; BYTE $0xc3 // andq %rax, %rbx
	LONG $0x04e3c148 // shlq $4, %rbx
	LONG $0x1e0c180f // prefetcht0 (%rsi,%rbx)
	WORD $0x2149; BYTE $0xc6 // andq %rax, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x0c180f42; BYTE $0x36 // prefetcht0 (%rsi,%r14)
	WORD $0x2149; BYTE $0xc7 // andq %rax, %r15
	LONG $0x04e7c149 // shlq $4, %r15
	LONG $0x0c180f42; BYTE $0x3e // prefetcht0 (%rsi,%r15)
	LONG $0x02c28349 // addq $2, %r10
	WORD $0x394d; BYTE $0xd3 // cmpq %r10, %r11
	WORD $0x8a75 // jne BB12_7
	LONG $0x01c0f641 // BB12_3: testb $1, %r8b
	WORD $0x3474 // je BB12_5
	LONG $0x3cb70f42; BYTE $0x57 // movzwl (%rdi,%r10,2), %edi
	LONG $0xf93c8b49 // movq (%r9,%rdi,8), %rdi
	LONG $0xf7f3e2c4; BYTE $0xcf // shrxq %rcx, %rdi, %rcx
	LONG $0xf7ebe2c4; BYTE $0xd7 // shrxq %rdx, %rdi, %rdx
	WORD $0x2148; BYTE $0xc7 // andq %rax, %rdi
	LONG $0x04e7c148 // shlq $4, %rdi
	LONG $0x3e0c180f // prefetcht0 (%rsi,%rdi)
	WORD $0x2148; BYTE $0xc1 // andq %rax, %rcx
	LONG $0x04e1c148 // shlq $4, %rcx
	LONG $0x0e0c180f // prefetcht0 (%rsi,%rcx)
	WORD $0x2148; BYTE $0xc2 // andq %rax, %rdx
	LONG $0x04e2c148 // shlq $4, %rdx
	LONG $0x160c180f // prefetcht0 (%rsi,%rdx)
	BYTE $0x5b // BB12_5: popq %rbx
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	RET

// func prefetchLinesAVX2(p unsafe.Pointer, n int)
TEXT ·prefetchLinesAVX2(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), DI
	MOVQ n+8(FP), SI
	PCALIGN $32
	WORD $0x0148; BYTE $0xfe // addq %rdi, %rsi
	LONG $0xc0e78348 // andq $-64, %rdi
	WORD $0x3948; BYTE $0xfe // cmpq %rdi, %rsi
	LONG $0x1f0f1076; WORD $0x0040 // jbe BB10_2
	WORD $0x180f; BYTE $0x17 // BB10_1: prefetcht1 (%rdi)
	LONG $0x40c78348 // addq $64, %rdi
	WORD $0x3948; BYTE $0xf7 // cmpq %rsi, %rdi
	WORD $0xf472 // jb BB10_1
	RET

// func prefetchRecordsAVX2(a *recordArgs, shift uint64)
TEXT ·prefetchRecordsAVX2(SB), 0, $144-16
	MOVQ a+0(FP), DI
	MOVQ shift+8(FP), SI
	PCALIGN $32
	LONG $0x504f8b4c // movq 80(%rdi), %r9
	WORD $0x854d; BYTE $0xc9 // testq %r9, %r9
	LONG $0x00d48e0f; WORD $0x0000 // jle BB9_7
	BYTE $0x53 // pushq %rbx
	WORD $0x8b48; BYTE $0x07 // movq (%rdi), %rax
	LONG $0x38478b4c // movq 56(%rdi), %r8
	LONG $0x404f8b48 // movq 64(%rdi), %rcx
	WORD $0x8944; BYTE $0xca // movl %r9d, %edx
	WORD $0xe283; BYTE $0x03 // andl $3, %edx
	LONG $0x04f98349 // cmpq $4, %r9
	WORD $0x0473 // jae BB9_8
	WORD $0xff31 // xorl %edi, %edi
	WORD $0x7beb // jmp BB9_3
	LONG $0xfffcbf48; LONG $0xffffffff; WORD $0x7fff // BB9_8: movabsq $9223372036854775804, %rdi
	WORD $0x2149; BYTE $0xf9 // andq %rdi, %r9
	LONG $0x28508d4d // leaq 40(%r8), %r10
	LONG $0x1f0fff31; WORD $0x0040 // xorl %edi, %edi
	LONG $0xd85a8b45 // BB9_9: movl -40(%r10), %r11d
	LONG $0xdc5a8b41 // movl -36(%r10), %ebx
	LONG $0xd91c034a // addq (%rcx,%r11,8), %rbx
	LONG $0xf7c962c4; BYTE $0xdb // shlxq %rsi, %rbx, %r11
	LONG $0x0c180f42; BYTE $0x18 // prefetcht0 (%rax,%r11)
	LONG $0xe45a8b45 // movl -28(%r10), %r11d
	LONG $0xe85a8b41 // movl -24(%r10), %ebx
	LONG $0xd91c034a // addq (%rcx,%r11,8), %rbx
	LONG $0xf7c962c4; BYTE $0xdb // shlxq %rsi, %rbx, %r11
	LONG $0x0c180f42; BYTE $0x18 // prefetcht0 (%rax,%r11)
	LONG $0xf05a8b45 // movl -16(%r10), %r11d
	LONG $0xf45a8b41 // movl -12(%r10), %ebx
	LONG $0xd91c034a // addq (%rcx,%r11,8), %rbx
	LONG $0xf7c962c4; BYTE $0xdb // shlxq %rsi, %rbx, %r11
	LONG $0x0c180f42; BYTE $0x18 // prefetcht0 (%rax,%r11)
	LONG $0xfc5a8b45 // movl -4(%r10), %r11d
	WORD $0x8b41; BYTE $0x1a // movl (%r10), %ebx
	LONG $0xd91c034a // addq (%rcx,%r11,8), %rbx
	LONG $0xf7c962c4; BYTE $0xdb // shlxq %rsi, %rbx, %r11
	LONG $0x0c180f42; BYTE $0x18 // prefetcht0 (%rax,%r11)
	LONG $0x04c78348 // addq $4, %rdi
	LONG $0x30c28349 // addq $48, %r10
	WORD $0x3949; BYTE $0xf9 // cmpq %rdi, %r9
	WORD $0x9c75 // jne BB9_9
	WORD $0x8548; BYTE $0xd2 // BB9_3: testq %rdx, %rdx
	WORD $0x3774 // je BB9_6
	LONG $0x7f3c8d48 // leaq (%rdi,%rdi,2), %rdi
	LONG $0xb83c8d49 // leaq (%r8,%rdi,4), %rdi
	LONG $0x04c78348 // addq $4, %rdi
	WORD $0xe2c1; BYTE $0x02 // shll $2, %edx
	LONG $0x52148d48 // leaq (%rdx,%rdx,2), %rdx
	LONG $0x90c03145 // xorl %r8d, %r8d
	LONG $0x074c8b46; BYTE $0xfc // BB9_5: movl -4(%rdi,%r8), %r9d
	LONG $0x07148b46 // movl (%rdi,%r8), %r10d
	LONG $0xc914034e // addq (%rcx,%r9,8), %r10
	LONG $0xf7c942c4; BYTE $0xca // shlxq %rsi, %r10, %r9
	LONG $0x0c180f42; BYTE $0x08 // prefetcht0 (%rax,%r9)
	LONG $0x0cc08349 // addq $12, %r8
	WORD $0x394c; BYTE $0xc2 // cmpq %r8, %rdx
	WORD $0xe075 // jne BB9_5
	BYTE $0x5b // BB9_6: popq %rbx
	RET

// func setDenseAVX2(row *int32, cells *TopicCell, seen *uint32, topics int, sum *int) int
TEXT ·setDenseAVX2(SB), 0, $144-48
	MOVQ row+0(FP), DI
	MOVQ cells+8(FP), SI
	MOVQ seen+16(FP), DX
	MOVQ topics+24(FP), CX
	MOVQ sum+32(FP), R8
	PCALIGN $32
	WORD $0x8548; BYTE $0xc9 // testq %rcx, %rcx
	WORD $0x207e // jle BB3_1
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	WORD $0x8941; BYTE $0xc9 // movl %ecx, %r9d
	LONG $0x03e18341 // andl $3, %r9d
	LONG $0x04f98348 // cmpq $4, %rcx
	WORD $0x1a73 // jae BB3_9
	WORD $0xc031 // xorl %eax, %eax
	WORD $0x3145; BYTE $0xdb // xorl %r11d, %r11d
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	LONG $0x00009fe9; BYTE $0x00 // jmp BB3_5
	WORD $0x3145; BYTE $0xd2 // BB3_1: xorl %r10d, %r10d
	WORD $0xc031 // xorl %eax, %eax
	WORD $0x894d; BYTE $0x10 // movq %r10, (%r8)
	LONG $0x0000d9e9; BYTE $0x00 // jmp end.setDense
	LONG $0xfffcb848; LONG $0xffffffff; WORD $0x7fff // BB3_9: movabsq $9223372036854775804, %rax
	WORD $0x2148; BYTE $0xc1 // andq %rax, %rcx
	LONG $0x305e8d48 // leaq 48(%rsi), %rbx
	WORD $0xc031 // xorl %eax, %eax
	WORD $0x3145; BYTE $0xdb // xorl %r11d, %r11d
	LONG $0x0fd23145; LONG $0x0000441f // xorl %r10d, %r10d
	LONG $0x9f34634e // BB3_10: movslq (%rdi,%r11,4), %r14
	LONG $0xd0738944 // movl %r14d, -48(%rbx)
	LONG $0x821c8944 // movl %r11d, (%rdx,%rax,4)
	LONG $0x01fe8349 // cmpq $1, %r14
	LONG $0xffd88348 // sbbq $-1, %rax
	WORD $0x014d; BYTE $0xf2 // addq %r14, %r10
	LONG $0x9f74634e; BYTE $0x04 // movslq 4(%rdi,%r11,4), %r14
	LONG $0xe0738944 // movl %r14d, -32(%rbx)
	LONG $0x016b8d41 // leal 1(%r11), %ebp
	WORD $0x2c89; BYTE $0x82 // movl %ebp, (%rdx,%rax,4)
	LONG $0x01fe8349 // cmpq $1, %r14
	LONG $0xffd88348 // sbbq $-1, %rax
	LONG $0x9f7c634e; BYTE $0x08 // movslq 8(%rdi,%r11,4), %r15
	LONG $0xf07b8944 // movl %r15d, -16(%rbx)
	LONG $0x026b8d41 // leal 2(%r11), %ebp
	WORD $0x2c89; BYTE $0x82 // movl %ebp, (%rdx,%rax,4)
	LONG $0x01ff8349 // cmpq $1, %r15
	LONG $0xffd88348 // sbbq $-1, %rax
	WORD $0x014d; BYTE $0xfe // addq %r15, %r14
	WORD $0x014d; BYTE $0xf2 // addq %r14, %r10
	LONG $0x9f74634e; BYTE $0x0c // movslq 12(%rdi,%r11,4), %r14
	WORD $0x8944; BYTE $0x33 // movl %r14d, (%rbx)
	LONG $0x036b8d41 // leal 3(%r11), %ebp
	WORD $0x2c89; BYTE $0x82 // movl %ebp, (%rdx,%rax,4)
	LONG $0x01fe8349 // cmpq $1, %r14
	LONG $0xffd88348 // sbbq $-1, %rax
	WORD $0x014d; BYTE $0xf2 // addq %r14, %r10
	LONG $0x04c38349 // addq $4, %r11
	LONG $0x40c38348 // addq $64, %rbx
	WORD $0x3949; BYTE $0xcb // cmpq %rcx, %r11
	WORD $0x8c75 // jne BB3_10
	WORD $0x854d; BYTE $0xc9 // BB3_5: testq %r9, %r9
	WORD $0x3974 // je BB3_8
	WORD $0x894c; BYTE $0xd9 // movq %r11, %rcx
	LONG $0x04e1c148 // shlq $4, %rcx
	WORD $0x0148; BYTE $0xce // addq %rcx, %rsi
	LONG $0x04e1c141 // shll $4, %r9d
	LONG $0x1f0fc931; LONG $0x00000080; BYTE $0x00 // xorl %ecx, %ecx
	LONG $0x9f1c634a // BB3_7: movslq (%rdi,%r11,4), %rbx
	WORD $0x1c89; BYTE $0x0e // movl %ebx, (%rsi,%rcx)
	LONG $0x821c8944 // movl %r11d, (%rdx,%rax,4)
	LONG $0x01fb8348 // cmpq $1, %rbx
	LONG $0xffd88348 // sbbq $-1, %rax
	WORD $0x0149; BYTE $0xda // addq %rbx, %r10
	WORD $0xff49; BYTE $0xc3 // incq %r11
	LONG $0x10c18348 // addq $16, %rcx
	WORD $0x3949; BYTE $0xc9 // cmpq %rcx, %r9
	WORD $0xde75 // jne BB3_7
	BYTE $0x5b // BB3_8: popq %rbx
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	WORD $0x894d; BYTE $0x10 // movq %r10, (%r8)
	MOVQ AX, ret+40(FP)
	RET

// func stepAVX2(a *stepArgs)
TEXT ·stepAVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	JMP code
	PCALIGN $64
	LONG $0x33800000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000

code:
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x00307f80 // cmpb $0, 48(%rdi)
	WORD $0x8b48; BYTE $0x07 // movq (%rdi), %rax
	LONG $0x084f8b48 // movq 8(%rdi), %rcx
	LONG $0x10578b48 // movq 16(%rdi), %rdx
	LONG $0x18778b48 // movq 24(%rdi), %rsi
	LONG $0x20478b4c // movq 32(%rdi), %r8
	LONG $0x284f8b4c // movq 40(%rdi), %r9
	WORD $0x0e74 // je BB0_9
	LONG $0x04f88349 // cmpq $4, %r8
	WORD $0x1f7d // jge BB0_7
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	LONG $0x000157e9; BYTE $0x00 // jmp BB0_3
	LONG $0x4710fac5; BYTE $0x34 // BB0_9: vmovss 52(%rdi), %xmm0
	LONG $0x04f88349 // cmpq $4, %r8
	LONG $0x01ed8d0f; WORD $0x0000 // jge BB0_14
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	LONG $0x000306e9; BYTE $0x00 // jmp BB0_11
	WORD $0xff31 // BB0_7: xorl %edi, %edi
	LONG $0x1879e2c4; LONG $0xffff6905; LONG $0x1f0f66ff; LONG $0x00000084; WORD $0x0000 // vbroadcastss .LCPI0_0(%rip), %xmm0
	LONG $0xb8748b44; BYTE $0x0c // BB0_8: movl 12(%rax,%rdi,4), %r14d
	LONG $0xb87c8b44; BYTE $0x08 // movl 8(%rax,%rdi,4), %r15d
	LONG $0xb8648b44; BYTE $0x04 // movl 4(%rax,%rdi,4), %r12d
	LONG $0x0c6ffac5; BYTE $0xb8 // vmovdqu (%rax,%rdi,4), %xmm1
	LONG $0xba548b44; BYTE $0x0c // movl 12(%rdx,%rdi,4), %r10d
	LONG $0xba5c8b44; BYTE $0x08 // movl 8(%rdx,%rdi,4), %r11d
	LONG $0x04ba5c8b // movl 4(%rdx,%rdi,4), %ebx
	LONG $0x146ffac5; BYTE $0xba // vmovdqu (%rdx,%rdi,4), %xmm2
	LONG $0x1c6ffac5; BYTE $0xb9 // vmovdqu (%rcx,%rdi,4), %xmm3
	LONG $0x7ef9c1c4; BYTE $0xcd // vmovq %xmm1, %r13
	WORD $0x8945; BYTE $0xed // movl %r13d, %r13d
	LONG $0x04e5c149 // shlq $4, %r13
	LONG $0x6f7a81c4; WORD $0x2924 // vmovdqu (%r9,%r13), %xmm4
	LONG $0x04e4c149 // shlq $4, %r12
	LONG $0x6f7a81c4; WORD $0x212c // vmovdqu (%r9,%r12), %xmm5
	LONG $0x04e7c149 // shlq $4, %r15
	LONG $0x6f7a81c4; WORD $0x3934 // vmovdqu (%r9,%r15), %xmm6
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x6f7a81c4; WORD $0x313c // vmovdqu (%r9,%r14), %xmm7
	LONG $0xc56259c5 // vpunpckldq %xmm5, %xmm4, %xmm8
	LONG $0xcf6249c5 // vpunpckldq %xmm7, %xmm6, %xmm9
	LONG $0xe56ad9c5 // vpunpckhdq %xmm5, %xmm4, %xmm4
	LONG $0xef6ac9c5 // vpunpckhdq %xmm7, %xmm6, %xmm5
	LONG $0xe56cd9c5 // vpunpcklqdq %xmm5, %xmm4, %xmm4
	LONG $0x6c39c1c4; BYTE $0xe9 // vpunpcklqdq %xmm9, %xmm8, %xmm5
	LONG $0xf376f1c5 // vpcmpeqd %xmm3, %xmm1, %xmm6
	LONG $0xeefed1c5 // vpaddd %xmm6, %xmm5, %xmm5
	LONG $0xed5bf8c5 // vcvtdq2ps %xmm5, %xmm5
	LONG $0xe558d8c5 // vaddps %xmm5, %xmm4, %xmm4
	LONG $0x6d39c1c4; BYTE $0xe9 // vpunpckhqdq %xmm9, %xmm8, %xmm5
	LONG $0xe559d8c5 // vmulps %xmm5, %xmm4, %xmm4
	LONG $0x7ef9c1c4; BYTE $0xd6 // vmovq %xmm2, %r14
	WORD $0x8945; BYTE $0xf6 // movl %r14d, %r14d
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x6f7a81c4; WORD $0x312c // vmovdqu (%r9,%r14), %xmm5
	LONG $0x04e3c148 // shlq $4, %rbx
	LONG $0x6f7ac1c4; WORD $0x1934 // vmovdqu (%r9,%rbx), %xmm6
	LONG $0x04e3c149 // shlq $4, %r11
	LONG $0x6f7a81c4; WORD $0x193c // vmovdqu (%r9,%r11), %xmm7
	LONG $0x04e2c149 // shlq $4, %r10
	LONG $0x6f7a01c4; WORD $0x1104 // vmovdqu (%r9,%r10), %xmm8
	LONG $0xce6251c5 // vpunpckldq %xmm6, %xmm5, %xmm9
	LONG $0x624141c4; BYTE $0xd0 // vpunpckldq %xmm8, %xmm7, %xmm10
	LONG $0xee6ad1c5 // vpunpckhdq %xmm6, %xmm5, %xmm5
	LONG $0x6a41c1c4; BYTE $0xf0 // vpunpckhdq %xmm8, %xmm7, %xmm6
	LONG $0xee6cd1c5 // vpunpcklqdq %xmm6, %xmm5, %xmm5
	LONG $0x6c31c1c4; BYTE $0xf2 // vpunpcklqdq %xmm10, %xmm9, %xmm6
	LONG $0xdb76e9c5 // vpcmpeqd %xmm3, %xmm2, %xmm3
	LONG $0xdbfec9c5 // vpaddd %xmm3, %xmm6, %xmm3
	LONG $0xdb5bf8c5 // vcvtdq2ps %xmm3, %xmm3
	LONG $0xdb58d0c5 // vaddps %xmm3, %xmm5, %xmm3
	LONG $0x6d31c1c4; BYTE $0xea // vpunpckhqdq %xmm10, %xmm9, %xmm5
	LONG $0xdd59e0c5 // vmulps %xmm5, %xmm3, %xmm3
	LONG $0x2c6ffac5; BYTE $0xbe // vmovdqu (%rsi,%rdi,4), %xmm5
	LONG $0xd572d1c5; BYTE $0x08 // vpsrld $8, %xmm5, %xmm5
	LONG $0xed5bf8c5 // vcvtdq2ps %xmm5, %xmm5
	LONG $0xe859d0c5 // vmulps %xmm0, %xmm5, %xmm5
	LONG $0xe559d8c5 // vmulps %xmm5, %xmm4, %xmm4
	LONG $0xdbc2d8c5; BYTE $0x05 // vcmpnltps %xmm3, %xmm4, %xmm3
	LONG $0x4a69e3c4; WORD $0x30c9 // vblendvps %xmm3, %xmm1, %xmm2, %xmm1
	LONG $0x0c11f8c5; BYTE $0xb8 // vmovups %xmm1, (%rax,%rdi,4)
	LONG $0x04578d4c // leaq 4(%rdi), %r10
	LONG $0x08c78348 // addq $8, %rdi
	WORD $0x394c; BYTE $0xc7 // cmpq %r8, %rdi
	WORD $0x894c; BYTE $0xd7 // movq %r10, %rdi
	LONG $0xfed48e0f; WORD $0xffff // jle BB0_8
	WORD $0x394d; BYTE $0xc2 // BB0_3: cmpq %r8, %r10
	LONG $0x025b8d0f; WORD $0x0000 // jge BB0_6
	LONG $0x0510fac5; LONG $0xfffffe23; WORD $0x1f0f; BYTE $0x00 // vmovss .LCPI0_0(%rip), %xmm0
	LONG $0x903c8b42 // BB0_5: movl (%rax,%r10,4), %edi
	LONG $0x961c8b46 // movl (%rsi,%r10,4), %r11d
	LONG $0x08ebc141 // shrl $8, %r11d
	LONG $0x2a22c1c4; BYTE $0xcb // vcvtsi2ss %r11d, %xmm11, %xmm1
	LONG $0x921c8b46 // movl (%rdx,%r10,4), %r11d
	LONG $0x911c8b42 // movl (%rcx,%r10,4), %ebx
	WORD $0x8949; BYTE $0xfe // movq %rdi, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x312c8b43 // movl (%r9,%r14), %ebp
	WORD $0x3145; BYTE $0xff // xorl %r15d, %r15d
	WORD $0xdf39 // cmpl %ebx, %edi
	LONG $0xc7940f41 // sete %r15b
	WORD $0x2944; BYTE $0xfd // subl %r15d, %ebp
	LONG $0xd52aa2c5 // vcvtsi2ss %ebp, %xmm11, %xmm2
	LONG $0x586a81c4; WORD $0x3154; BYTE $0x08 // vaddss 8(%r9,%r14), %xmm2, %xmm2
	LONG $0xc859f2c5 // vmulss %xmm0, %xmm1, %xmm1
	LONG $0x596a81c4; WORD $0x3154; BYTE $0x04 // vmulss 4(%r9,%r14), %xmm2, %xmm2
	LONG $0xca59f2c5 // vmulss %xmm2, %xmm1, %xmm1
	WORD $0x894d; BYTE $0xde // movq %r11, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x312c8b43 // movl (%r9,%r14), %ebp
	WORD $0x3145; BYTE $0xff // xorl %r15d, %r15d
	WORD $0x3941; BYTE $0xdb // cmpl %ebx, %r11d
	LONG $0xc7940f41 // sete %r15b
	WORD $0x2944; BYTE $0xfd // subl %r15d, %ebp
	LONG $0xd52aa2c5 // vcvtsi2ss %ebp, %xmm11, %xmm2
	LONG $0x586a81c4; WORD $0x3154; BYTE $0x08 // vaddss 8(%r9,%r14), %xmm2, %xmm2
	LONG $0x596a81c4; WORD $0x3154; BYTE $0x04 // vmulss 4(%r9,%r14), %xmm2, %xmm2
	LONG $0xd12ef8c5 // vucomiss %xmm1, %xmm2
	LONG $0xfb470f41 // cmoval %r11d, %edi
	LONG $0x903c8942 // movl %edi, (%rax,%r10,4)
	WORD $0xff49; BYTE $0xc2 // incq %r10
	WORD $0x394d; BYTE $0xd0 // cmpq %r10, %r8
	LONG $0xff74850f; WORD $0xffff // jne BB0_5
	LONG $0x0001bfe9; BYTE $0x00 // jmp BB0_6
	LONG $0x1879e2c4; BYTE $0xc8 // BB0_14: vbroadcastss %xmm0, %xmm1
	WORD $0xff31 // xorl %edi, %edi
	LONG $0x1879e2c4; LONG $0xfffd7f15; LONG $0x666666ff; LONG $0x2e666666; LONG $0x00841f0f; LONG $0x00000000 // vbroadcastss .LCPI0_0(%rip), %xmm2
	LONG $0xb8748b44; BYTE $0x0c // BB0_15: movl 12(%rax,%rdi,4), %r14d
	LONG $0xb87c8b44; BYTE $0x08 // movl 8(%rax,%rdi,4), %r15d
	LONG $0xb8648b44; BYTE $0x04 // movl 4(%rax,%rdi,4), %r12d
	LONG $0x1c6ffac5; BYTE $0xb8 // vmovdqu (%rax,%rdi,4), %xmm3
	LONG $0xba548b44; BYTE $0x0c // movl 12(%rdx,%rdi,4), %r10d
	LONG $0x08ba5c8b // movl 8(%rdx,%rdi,4), %ebx
	LONG $0xba5c8b44; BYTE $0x04 // movl 4(%rdx,%rdi,4), %r11d
	LONG $0x246ffac5; BYTE $0xba // vmovdqu (%rdx,%rdi,4), %xmm4
	LONG $0x2c6ffac5; BYTE $0xb9 // vmovdqu (%rcx,%rdi,4), %xmm5
	LONG $0x7ef9c1c4; BYTE $0xdd // vmovq %xmm3, %r13
	WORD $0x8945; BYTE $0xed // movl %r13d, %r13d
	LONG $0x04e5c149 // shlq $4, %r13
	LONG $0x6f7a81c4; WORD $0x2934 // vmovdqu (%r9,%r13), %xmm6
	LONG $0x04e4c149 // shlq $4, %r12
	LONG $0x04e7c149 // shlq $4, %r15
	LONG $0x6f7a81c4; WORD $0x393c // vmovdqu (%r9,%r15), %xmm7
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x624981c4; WORD $0x2134 // vpunpckldq (%r9,%r12), %xmm6, %xmm6
	LONG $0x624181c4; WORD $0x313c // vpunpckldq (%r9,%r14), %xmm7, %xmm7
	LONG $0xc76c49c5 // vpunpcklqdq %xmm7, %xmm6, %xmm8
	LONG $0xcd7661c5 // vpcmpeqd %xmm5, %xmm3, %xmm9
	LONG $0xfe3941c4; BYTE $0xc1 // vpaddd %xmm9, %xmm8, %xmm8
	LONG $0x5b7841c4; BYTE $0xc0 // vcvtdq2ps %xmm8, %xmm8
	LONG $0x7ef9c1c4; BYTE $0xe6 // vmovq %xmm4, %r14
	WORD $0x8945; BYTE $0xf6 // movl %r14d, %r14d
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x6f7a01c4; WORD $0x310c // vmovdqu (%r9,%r14), %xmm9
	LONG $0x04e3c149 // shlq $4, %r11
	LONG $0x04e3c148 // shlq $4, %rbx
	LONG $0x6f7a41c4; WORD $0x1914 // vmovdqu (%r9,%rbx), %xmm10
	LONG $0x04e2c149 // shlq $4, %r10
	LONG $0x623101c4; WORD $0x190c // vpunpckldq (%r9,%r11), %xmm9, %xmm9
	LONG $0x622901c4; WORD $0x1114 // vpunpckldq (%r9,%r10), %xmm10, %xmm10
	LONG $0xf76dc9c5 // vpunpckhqdq %xmm7, %xmm6, %xmm6
	LONG $0x6c31c1c4; BYTE $0xfa // vpunpcklqdq %xmm10, %xmm9, %xmm7
	LONG $0xed76d9c5 // vpcmpeqd %xmm5, %xmm4, %xmm5
	LONG $0xedfec1c5 // vpaddd %xmm5, %xmm7, %xmm5
	LONG $0xed5bf8c5 // vcvtdq2ps %xmm5, %xmm5
	LONG $0x6d31c1c4; BYTE $0xfa // vpunpckhqdq %xmm10, %xmm9, %xmm7
	LONG $0xc15838c5 // vaddps %xmm1, %xmm8, %xmm8
	LONG $0xf659b8c5 // vmulps %xmm6, %xmm8, %xmm6
	LONG $0xed58f0c5 // vaddps %xmm5, %xmm1, %xmm5
	LONG $0xef59d0c5 // vmulps %xmm7, %xmm5, %xmm5
	LONG $0x3c6ffac5; BYTE $0xbe // vmovdqu (%rsi,%rdi,4), %xmm7
	LONG $0xd772c1c5; BYTE $0x08 // vpsrld $8, %xmm7, %xmm7
	LONG $0xff5bf8c5 // vcvtdq2ps %xmm7, %xmm7
	LONG $0xfa59c0c5 // vmulps %xmm2, %xmm7, %xmm7
	LONG $0xf759c8c5 // vmulps %xmm7, %xmm6, %xmm6
	LONG $0xedc2c8c5; BYTE $0x05 // vcmpnltps %xmm5, %xmm6, %xmm5
	LONG $0x4a59e3c4; WORD $0x50db // vblendvps %xmm5, %xmm3, %xmm4, %xmm3
	LONG $0x1c11f8c5; BYTE $0xb8 // vmovups %xmm3, (%rax,%rdi,4)
	LONG $0x04578d4c // leaq 4(%rdi), %r10
	LONG $0x08c78348 // addq $8, %rdi
	WORD $0x394c; BYTE $0xc7 // cmpq %r8, %rdi
	WORD $0x894c; BYTE $0xd7 // movq %r10, %rdi
	LONG $0xfefe8e0f; WORD $0xffff // jle BB0_15
	WORD $0x394d; BYTE $0xc2 // BB0_11: cmpq %r8, %r10
	LONG $0x00958d0f; WORD $0x0000 // jge BB0_6
	LONG $0x0d10fac5; LONG $0xfffffc5d; LONG $0x66666666; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // vmovss .LCPI0_0(%rip), %xmm1
	LONG $0x903c8b42 // BB0_13: movl (%rax,%r10,4), %edi
	LONG $0x921c8b46 // movl (%rdx,%r10,4), %r11d
	LONG $0x961c8b42 // movl (%rsi,%r10,4), %ebx
	WORD $0xebc1; BYTE $0x08 // shrl $8, %ebx
	LONG $0xd32aa2c5 // vcvtsi2ss %ebx, %xmm11, %xmm2
	LONG $0x911c8b42 // movl (%rcx,%r10,4), %ebx
	WORD $0x8949; BYTE $0xfe // movq %rdi, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x312c8b43 // movl (%r9,%r14), %ebp
	WORD $0x3145; BYTE $0xff // xorl %r15d, %r15d
	WORD $0xdf39 // cmpl %ebx, %edi
	LONG $0xc7940f41 // sete %r15b
	WORD $0x2944; BYTE $0xfd // subl %r15d, %ebp
	LONG $0xdd2aa2c5 // vcvtsi2ss %ebp, %xmm11, %xmm3
	LONG $0xd159eac5 // vmulss %xmm1, %xmm2, %xmm2
	LONG $0xdb58fac5 // vaddss %xmm3, %xmm0, %xmm3
	LONG $0x596281c4; WORD $0x315c; BYTE $0x04 // vmulss 4(%r9,%r14), %xmm3, %xmm3
	WORD $0x894d; BYTE $0xde // movq %r11, %r14
	LONG $0x04e6c149 // shlq $4, %r14
	LONG $0x312c8b43 // movl (%r9,%r14), %ebp
	WORD $0x3145; BYTE $0xff // xorl %r15d, %r15d
	WORD $0x3941; BYTE $0xdb // cmpl %ebx, %r11d
	LONG $0xc7940f41 // sete %r15b
	WORD $0x2944; BYTE $0xfd // subl %r15d, %ebp
	LONG $0xe52aa2c5 // vcvtsi2ss %ebp, %xmm11, %xmm4
	LONG $0xd359eac5 // vmulss %xmm3, %xmm2, %xmm2
	LONG $0xdc58fac5 // vaddss %xmm4, %xmm0, %xmm3
	LONG $0x596281c4; WORD $0x315c; BYTE $0x04 // vmulss 4(%r9,%r14), %xmm3, %xmm3
	LONG $0xda2ef8c5 // vucomiss %xmm2, %xmm3
	LONG $0xfb470f41 // cmoval %r11d, %edi
	LONG $0x903c8942 // movl %edi, (%rax,%r10,4)
	WORD $0xff49; BYTE $0xc2 // incq %r10
	WORD $0x394d; BYTE $0xd0 // cmpq %r10, %r8
	WORD $0x8075 // jne BB0_13
	BYTE $0x5b // BB0_6: popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func store32AVX2(a *recordArgs)
TEXT ·store32AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x505f8b4c // movq 80(%rdi), %r11
	WORD $0x854d; BYTE $0xdb // testq %r11, %r11
	LONG $0x00cd8e0f; WORD $0x0000 // jle BB3_8
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	BYTE $0x50 // pushq %rax
	LONG $0x18478b48 // movq 24(%rdi), %rax
	LONG $0x24048948 // movq %rax, (%rsp)
	LONG $0x204f8b48 // movq 32(%rdi), %rcx
	LONG $0x28578b48 // movq 40(%rdi), %rdx
	LONG $0x60778b48 // movq 96(%rdi), %rsi
	LONG $0x36048d4c // leaq (%rsi,%rsi), %r8
	WORD $0x3145; BYTE $0xc9 // xorl %r9d, %r9d
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	LONG $0x1f0f14eb; LONG $0x00000084; WORD $0x0000 // jmp BB3_2
	WORD $0xff49; BYTE $0xc2 // BB3_6: incq %r10
	WORD $0x394d; BYTE $0xda // cmpq %r11, %r10
	LONG $0x00808d0f; WORD $0x0000 // jge BB3_7
	LONG $0x521c8d4b // BB3_2: leaq (%r10,%r10,2), %rbx
	LONG $0x38778b4c // movq 56(%rdi), %r14
	LONG $0x9e7c8341; WORD $0x0008 // cmpl $0, 8(%r14,%rbx,4)
	WORD $0xe474 // je BB3_6
	LONG $0x407f8b4c // movq 64(%rdi), %r15
	LONG $0x9e1c8d4d // leaq (%r14,%rbx,4), %r11
	LONG $0x9e248b45 // movl (%r14,%rbx,4), %r12d
	LONG $0x9e5c8b41; BYTE $0x04 // movl 4(%r14,%rbx,4), %ebx
	LONG $0xe7348b4f // movq (%r15,%r12,8), %r14
	LONG $0x02e3c148 // shlq $2, %rbx
	LONG $0xb31c8d4a // leaq (%rbx,%r14,4), %rbx
	LONG $0x24048b48 // movq (%rsp), %rax
	LONG $0x88348d4e // leaq (%rax,%r9,4), %r14
	LONG $0x89248d4e // leaq (%rcx,%r9,4), %r12
	LONG $0x8a2c8d4e // leaq (%rdx,%r9,4), %r13
	LONG $0x0fff3145; WORD $0x401f; BYTE $0x00 // xorl %r15d, %r15d
	LONG $0xbc2c8b43 // BB3_4: movl (%r12,%r15,4), %ebp
	LONG $0xf7c9e2c4; BYTE $0xed // shlxq %rsi, %rbp, %rbp
	LONG $0xbe2c0b43 // orl (%r14,%r15,4), %ebp
	LONG $0xbd448b43; BYTE $0x00 // movl (%r13,%r15,4), %eax
	LONG $0xf7b9e2c4; BYTE $0xc0 // shlxq %r8, %rax, %rax
	WORD $0xe809 // orl %ebp, %eax
	WORD $0x8b48; BYTE $0x2f // movq (%rdi), %rbp
	WORD $0x0148; BYTE $0xdd // addq %rbx, %rbp
	LONG $0xbd448942; BYTE $0x00 // movl %eax, (%rbp,%r15,4)
	WORD $0xff49; BYTE $0xc7 // incq %r15
	LONG $0x08438b41 // movl 8(%r11), %eax
	WORD $0x3949; BYTE $0xc7 // cmpq %rax, %r15
	WORD $0xd072 // jb BB3_4
	LONG $0x505f8b4c // movq 80(%rdi), %r11
	WORD $0x014d; BYTE $0xf9 // addq %r15, %r9
	LONG $0xffff74e9; BYTE $0xff // jmp BB3_6
	LONG $0x08c48348 // BB3_7: addq $8, %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func store64AVX2(a *recordArgs)
TEXT ·store64AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x28ec8348 // subq $40, %rsp
	LONG $0x50778b4c // movq 80(%rdi), %r14
	WORD $0x854d; BYTE $0xf6 // testq %r14, %r14
	LONG $0x00f48e0f; WORD $0x0000 // jle BB2_7
	LONG $0x18478b48 // movq 24(%rdi), %rax
	LONG $0x24448948; BYTE $0x18 // movq %rax, 24(%rsp)
	LONG $0x20478b48 // movq 32(%rdi), %rax
	LONG $0x24448948; BYTE $0x10 // movq %rax, 16(%rsp)
	LONG $0x28478b48 // movq 40(%rdi), %rax
	LONG $0x24448948; BYTE $0x08 // movq %rax, 8(%rsp)
	LONG $0x30478b48 // movq 48(%rdi), %rax
	LONG $0x24048948 // movq %rax, (%rsp)
	LONG $0x60478b4c // movq 96(%rdi), %r8
	LONG $0x000c8d4f // leaq (%r8,%r8), %r9
	LONG $0x40148d4f // leaq (%r8,%r8,2), %r10
	WORD $0xd231 // xorl %edx, %edx
	WORD $0xdb31 // xorl %ebx, %ebx
	WORD $0x0ceb // jmp BB2_2
	WORD $0xff48; BYTE $0xc3 // BB2_6: incq %rbx
	WORD $0x394c; BYTE $0xf3 // cmpq %r14, %rbx
	LONG $0x00b38d0f; WORD $0x0000 // jge BB2_7
	LONG $0x5b048d48 // BB2_2: leaq (%rbx,%rbx,2), %rax
	LONG $0x384f8b48 // movq 56(%rdi), %rcx
	LONG $0x08817c83; BYTE $0x00 // cmpl $0, 8(%rcx,%rax,4)
	WORD $0xe574 // je BB2_6
	LONG $0x407f8b4c // movq 64(%rdi), %r15
	LONG $0x81348d4c // leaq (%rcx,%rax,4), %r14
	LONG $0x81248b44 // movl (%rcx,%rax,4), %r12d
	LONG $0x0481448b // movl 4(%rcx,%rax,4), %eax
	LONG $0xe70c8b4b // movq (%r15,%r12,8), %rcx
	LONG $0x03e0c148 // shlq $3, %rax
	LONG $0xc83c8d4c // leaq (%rax,%rcx,8), %r15
	LONG $0x24448b48; BYTE $0x18 // movq 24(%rsp), %rax
	LONG $0x90248d4c // leaq (%rax,%rdx,4), %r12
	LONG $0x24448b48; BYTE $0x10 // movq 16(%rsp), %rax
	LONG $0x902c8d4c // leaq (%rax,%rdx,4), %r13
	LONG $0x24448b48; BYTE $0x08 // movq 8(%rsp), %rax
	LONG $0x90048d48 // leaq (%rax,%rdx,4), %rax
	LONG $0x240c8b48 // movq (%rsp), %rcx
	LONG $0x24548948; BYTE $0x20 // movq %rdx, 32(%rsp)
	LONG $0x910c8d48 // leaq (%rcx,%rdx,4), %rcx
	LONG $0x6666ed31; LONG $0x66666666; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // xorl %ebp, %ebp
	LONG $0xac148b41 // BB2_4: movl (%r12,%rbp,4), %edx
	LONG $0xad748b41; BYTE $0x00 // movl (%r13,%rbp,4), %esi
	LONG $0xf7b9e2c4; BYTE $0xf6 // shlxq %r8, %rsi, %rsi
	WORD $0x0948; BYTE $0xd6 // orq %rdx, %rsi
	WORD $0x148b; BYTE $0xa8 // movl (%rax,%rbp,4), %edx
	LONG $0xf7b1e2c4; BYTE $0xd2 // shlxq %r9, %rdx, %rdx
	LONG $0xa91c8b44 // movl (%rcx,%rbp,4), %r11d
	LONG $0xf7a942c4; BYTE $0xdb // shlxq %r10, %r11, %r11
	WORD $0x0949; BYTE $0xd3 // orq %rdx, %r11
	WORD $0x0949; BYTE $0xf3 // orq %rsi, %r11
	WORD $0x8b48; BYTE $0x17 // movq (%rdi), %rdx
	WORD $0x014c; BYTE $0xfa // addq %r15, %rdx
	LONG $0xea1c894c // movq %r11, (%rdx,%rbp,8)
	WORD $0xff48; BYTE $0xc5 // incq %rbp
	LONG $0x08568b41 // movl 8(%r14), %edx
	WORD $0x3948; BYTE $0xd5 // cmpq %rdx, %rbp
	WORD $0xc272 // jb BB2_4
	LONG $0x50778b4c // movq 80(%rdi), %r14
	LONG $0x24548b48; BYTE $0x20 // movq 32(%rsp), %rdx
	WORD $0x0148; BYTE $0xea // addq %rbp, %rdx
	LONG $0xffff41e9; BYTE $0xff // jmp BB2_6
	LONG $0x28c48348 // BB2_7: addq $40, %rsp
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET

// func storeDoc32AVX2(a *recordArgs)
TEXT ·storeDoc32AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x507f8348; BYTE $0x00 // cmpq $0, 80(%rdi)
	WORD $0x5b7e // jle BB7_4
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x184f8b48 // movq 24(%rdi), %rcx
	LONG $0x20578b48 // movq 32(%rdi), %rdx
	LONG $0x28778b48 // movq 40(%rdi), %rsi
	LONG $0x60478b4c // movq 96(%rdi), %r8
	LONG $0x000c8d4f // leaq (%r8,%r8), %r9
	LONG $0x66d23145; LONG $0x00841f0f; LONG $0x00000000 // xorl %r10d, %r10d
	WORD $0x8b4c; BYTE $0x1f // BB7_2: movq (%rdi), %r11
	LONG $0x921c8b42 // movl (%rdx,%r10,4), %ebx
	LONG $0xf7b9e2c4; BYTE $0xdb // shlxq %r8, %rbx, %rbx
	LONG $0x911c0b42 // orl (%rcx,%r10,4), %ebx
	LONG $0x90348b46 // movl (%rax,%r10,4), %r14d
	LONG $0x963c8b46 // movl (%rsi,%r10,4), %r15d
	LONG $0xf7b142c4; BYTE $0xff // shlxq %r9, %r15, %r15
	WORD $0x0941; BYTE $0xdf // orl %ebx, %r15d
	LONG $0xb33c8947 // movl %r15d, (%r11,%r14,4)
	WORD $0xff49; BYTE $0xc2 // incq %r10
	LONG $0x50573b4c // cmpq 80(%rdi), %r10
	WORD $0xd37c // jl BB7_2
	BYTE $0x5b // popq %rbx
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	RET

// func storeDoc64AVX2(a *recordArgs)
TEXT ·storeDoc64AVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	PCALIGN $32
	LONG $0x507f8348; BYTE $0x00 // cmpq $0, 80(%rdi)
	WORD $0x7f7e // jle BB6_4
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x08478b48 // movq 8(%rdi), %rax
	LONG $0x184f8b48 // movq 24(%rdi), %rcx
	LONG $0x20578b48 // movq 32(%rdi), %rdx
	LONG $0x28778b48 // movq 40(%rdi), %rsi
	LONG $0x30478b4c // movq 48(%rdi), %r8
	LONG $0x604f8b4c // movq 96(%rdi), %r9
	LONG $0x09148d4f // leaq (%r9,%r9), %r10
	LONG $0x491c8d4f // leaq (%r9,%r9,2), %r11
	LONG $0x6666db31; LONG $0x0f2e6666; LONG $0x0000841f; WORD $0x0000; BYTE $0x00 // xorl %ebx, %ebx
	WORD $0x8b4c; BYTE $0x37 // BB6_2: movq (%rdi), %r14
	LONG $0x983c8b44 // movl (%rax,%rbx,4), %r15d
	LONG $0x99248b44 // movl (%rcx,%rbx,4), %r12d
	LONG $0x9a2c8b44 // movl (%rdx,%rbx,4), %r13d
	LONG $0xf7b142c4; BYTE $0xed // shlxq %r9, %r13, %r13
	WORD $0x094d; BYTE $0xe5 // orq %r12, %r13
	LONG $0x9e248b44 // movl (%rsi,%rbx,4), %r12d
	LONG $0xf7a942c4; BYTE $0xe4 // shlxq %r10, %r12, %r12
	LONG $0x982c8b41 // movl (%r8,%rbx,4), %ebp
	LONG $0xf7a1e2c4; BYTE $0xed // shlxq %r11, %rbp, %rbp
	WORD $0x094c; BYTE $0xe5 // orq %r12, %rbp
	WORD $0x094c; BYTE $0xed // orq %r13, %rbp
	LONG $0xfe2c894b // movq %rbp, (%r14,%r15,8)
	WORD $0xff48; BYTE $0xc3 // incq %rbx
	LONG $0x505f3b48 // cmpq 80(%rdi), %rbx
	WORD $0xc47c // jl BB6_2
	BYTE $0x5b // popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	RET
