// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources d3d275848654b6b58f835a068058f2db. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func blocksAVX2(a *blocksArgs)
TEXT ·blocksAVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	JMP code
	PCALIGN $64
	LONG $0xd2511f53; LONG $0x00000000; LONG $0xcd9e8d57; LONG $0x00000000
	LONG $0x03020100; LONG $0x07060504; LONG $0xd2511f53; LONG $0x00000000
	LONG $0xcd9e8d57; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000

code:
	LONG $0x38578b48 // movq 56(%rdi), %rdx
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0x03a48e0f; WORD $0x0000 // jle BB1_8
	BYTE $0x55 // pushq %rbp
	WORD $0x8948; BYTE $0xe5 // movq %rsp, %rbp
	LONG $0xe0e48348 // andq $-32, %rsp
	LONG $0xa0ec8148; WORD $0x0000; BYTE $0x00 // subq $160, %rsp
	WORD $0xc031 // xorl %eax, %eax
	LONG $0xc057f8c5 // vxorps %xmm0, %xmm0, %xmm0
	LONG $0x597de2c4; LONG $0xffffad0d; BYTE $0xff // vpbroadcastq .LCPI1_0(%rip), %ymm1
	LONG $0x597de2c4; LONG $0xffffac15; BYTE $0xff // vpbroadcastq .LCPI1_1(%rip), %ymm2
	WORD $0xf631 // xorl %esi, %esi
	LONG $0x1f0f3feb; LONG $0x00000084; WORD $0x0000 // jmp BB1_2
	WORD $0x8b48; BYTE $0x17 // BB1_5: movq (%rdi), %rdx
	LONG $0x347ffec5; BYTE $0xb2 // vmovdqu %ymm6, (%rdx,%rsi,4)
	LONG $0x08578b48 // movq 8(%rdi), %rdx
	LONG $0x1c7ffec5; BYTE $0xb2 // vmovdqu %ymm3, (%rdx,%rsi,4)
	LONG $0x10578b48 // movq 16(%rdi), %rdx
	LONG $0x247ffec5; BYTE $0xb2 // vmovdqu %ymm4, (%rdx,%rsi,4)
	LONG $0x18578b48 // movq 24(%rdi), %rdx
	LONG $0x2c7ffec5; BYTE $0xb2 // vmovdqu %ymm5, (%rdx,%rsi,4)
	LONG $0x38578b48 // BB1_6: movq 56(%rdi), %rdx
	LONG $0x20c08348 // addq $32, %rax
	WORD $0x8948; BYTE $0xce // movq %rcx, %rsi
	WORD $0x3948; BYTE $0xd1 // cmpq %rdx, %rcx
	LONG $0x03368d0f; WORD $0x0000 // jge BB1_7
	LONG $0x587de2c4; WORD $0x305f // BB1_2: vpbroadcastd 48(%rdi), %ymm3
	LONG $0x587de2c4; WORD $0x3467 // vpbroadcastd 52(%rdi), %ymm4
	LONG $0x084e8d48 // leaq 8(%rsi), %rcx
	WORD $0x3948; BYTE $0xd1 // cmpq %rdx, %rcx
	WORD $0x647e // jle BB1_3
	LONG $0x4429fcc5; WORD $0x6024 // vmovaps %ymm0, 96(%rsp)
	LONG $0x4429fcc5; WORD $0x4024 // vmovaps %ymm0, 64(%rsp)
	LONG $0x4429fcc5; WORD $0x2024 // vmovaps %ymm0, 32(%rsp)
	LONG $0x0429fcc5; BYTE $0x24 // vmovaps %ymm0, (%rsp)
	WORD $0x2948; BYTE $0xf2 // subq %rsi, %rdx
	LONG $0x013e8e0f; WORD $0x0000 // jle BB1_10
	LONG $0x28778b48 // movq 40(%rdi), %rsi
	WORD $0x0148; BYTE $0xc6 // addq %rax, %rsi
	LONG $0x20478b4c // movq 32(%rdi), %r8
	WORD $0x0149; BYTE $0xc0 // addq %rax, %r8
	LONG $0x0fc93145; WORD $0x001f // xorl %r9d, %r9d
	LONG $0x88148b47 // BB1_27: movl (%r8,%r9,4), %r10d
	LONG $0x8c148946 // movl %r10d, (%rsp,%r9,4)
	LONG $0x8e148b46 // movl (%rsi,%r9,4), %r10d
	LONG $0x8c548946; BYTE $0x60 // movl %r10d, 96(%rsp,%r9,4)
	WORD $0xff49; BYTE $0xc1 // incq %r9
	WORD $0x3949; BYTE $0xd1 // cmpq %rdx, %r9
	WORD $0xe77c // jl BB1_27
	LONG $0x346ffdc5; BYTE $0x24 // vmovdqa (%rsp), %ymm6
	LONG $0x6c6ffdc5; WORD $0x6024 // vmovdqa 96(%rsp), %ymm5
	LONG $0x000109e9; LONG $0x801f0f00; LONG $0x00000000 // jmp BB1_12
	LONG $0x20578b48 // BB1_3: movq 32(%rdi), %rdx
	LONG $0x28478b4c // movq 40(%rdi), %r8
	LONG $0x346ffec5; BYTE $0xb2 // vmovdqu (%rdx,%rsi,4), %ymm6
	LONG $0x6f7ec1c4; WORD $0xb02c // vmovdqu (%r8,%rsi,4), %ymm5
	LONG $0x40578b48 // movq 64(%rdi), %rdx
	LONG $0x66c03145; LONG $0x00441f0f; BYTE $0x00 // xorl %r8d, %r8d
	LONG $0xf9f4cdc5 // BB1_4: vpmuludq %ymm1, %ymm6, %ymm7
	LONG $0xd673cdc5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm6
	LONG $0xf1f4cdc5 // vpmuludq %ymm1, %ymm6, %ymm6
	LONG $0xd773bdc5; BYTE $0x20 // vpsrlq $32, %ymm7, %ymm8
	LONG $0x023d63c4; WORD $0xaac6 // vpblendd $170, %ymm6, %ymm8, %ymm8
	LONG $0xf673cdc5; BYTE $0x20 // vpsllq $32, %ymm6, %ymm6
	LONG $0x0245e3c4; WORD $0xaafe // vpblendd $170, %ymm6, %ymm7, %ymm7
	LONG $0xf2f4ddc5 // vpmuludq %ymm2, %ymm4, %ymm6
	LONG $0xd473ddc5; BYTE $0x20 // vpsrlq $32, %ymm4, %ymm4
	LONG $0xe2f4ddc5 // vpmuludq %ymm2, %ymm4, %ymm4
	LONG $0xd673b5c5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm9
	LONG $0x023563c4; WORD $0xaacc // vpblendd $170, %ymm4, %ymm9, %ymm9
	LONG $0xf473ddc5; BYTE $0x20 // vpsllq $32, %ymm4, %ymm4
	LONG $0x024de3c4; WORD $0xaae4 // vpblendd $170, %ymm4, %ymm6, %ymm4
	LONG $0x587da2c4; WORD $0xc234 // vpbroadcastd (%rdx,%r8,8), %ymm6
	LONG $0xdeefe5c5 // vpxor %ymm6, %ymm3, %ymm3
	LONG $0xdbefb5c5 // vpxor %ymm3, %ymm9, %ymm3
	LONG $0x587da2c4; WORD $0xc274; BYTE $0x04 // vpbroadcastd 4(%rdx,%r8,8), %ymm6
	LONG $0xeeefd5c5 // vpxor %ymm6, %ymm5, %ymm5
	LONG $0xf5efbdc5 // vpxor %ymm5, %ymm8, %ymm6
	LONG $0xe9f4e5c5 // vpmuludq %ymm1, %ymm3, %ymm5
	LONG $0xd373e5c5; BYTE $0x20 // vpsrlq $32, %ymm3, %ymm3
	LONG $0xd9f4e5c5 // vpmuludq %ymm1, %ymm3, %ymm3
	LONG $0xd573bdc5; BYTE $0x20 // vpsrlq $32, %ymm5, %ymm8
	LONG $0x023d63c4; WORD $0xaac3 // vpblendd $170, %ymm3, %ymm8, %ymm8
	LONG $0xf373e5c5; BYTE $0x20 // vpsllq $32, %ymm3, %ymm3
	LONG $0x0255e3c4; WORD $0xaaeb // vpblendd $170, %ymm3, %ymm5, %ymm5
	LONG $0xdaf4cdc5 // vpmuludq %ymm2, %ymm6, %ymm3
	LONG $0xd673cdc5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm6
	LONG $0xf2f4cdc5 // vpmuludq %ymm2, %ymm6, %ymm6
	LONG $0xd373b5c5; BYTE $0x20 // vpsrlq $32, %ymm3, %ymm9
	LONG $0x023563c4; WORD $0xaace // vpblendd $170, %ymm6, %ymm9, %ymm9
	LONG $0xf673cdc5; BYTE $0x20 // vpsllq $32, %ymm6, %ymm6
	LONG $0x0265e3c4; WORD $0xaade // vpblendd $170, %ymm6, %ymm3, %ymm3
	LONG $0x587da2c4; WORD $0xc274; BYTE $0x08 // vpbroadcastd 8(%rdx,%r8,8), %ymm6
	LONG $0xe4efcdc5 // vpxor %ymm4, %ymm6, %ymm4
	LONG $0xf4efb5c5 // vpxor %ymm4, %ymm9, %ymm6
	LONG $0x587da2c4; WORD $0xc264; BYTE $0x0c // vpbroadcastd 12(%rdx,%r8,8), %ymm4
	LONG $0xe7efddc5 // vpxor %ymm7, %ymm4, %ymm4
	LONG $0xe4efbdc5 // vpxor %ymm4, %ymm8, %ymm4
	LONG $0x02c08349 // addq $2, %r8
	LONG $0x0af88349 // cmpq $10, %r8
	LONG $0xff2b850f; WORD $0xffff // jne BB1_4
	LONG $0xfffe56e9; BYTE $0xff // jmp BB1_5
	LONG $0xedefd1c5 // BB1_10: vpxor %xmm5, %xmm5, %xmm5
	LONG $0xf6efc9c5 // vpxor %xmm6, %xmm6, %xmm6
	LONG $0x40778b48 // BB1_12: movq 64(%rdi), %rsi
	LONG $0x0fc03145; LONG $0x0000801f; WORD $0x0000 // xorl %r8d, %r8d
	LONG $0xf9f4cdc5 // BB1_13: vpmuludq %ymm1, %ymm6, %ymm7
	LONG $0xd673cdc5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm6
	LONG $0xf1f4cdc5 // vpmuludq %ymm1, %ymm6, %ymm6
	LONG $0xd773bdc5; BYTE $0x20 // vpsrlq $32, %ymm7, %ymm8
	LONG $0x023d63c4; WORD $0xaac6 // vpblendd $170, %ymm6, %ymm8, %ymm8
	LONG $0xf673cdc5; BYTE $0x20 // vpsllq $32, %ymm6, %ymm6
	LONG $0x0245e3c4; WORD $0xaafe // vpblendd $170, %ymm6, %ymm7, %ymm7
	LONG $0xf2f4ddc5 // vpmuludq %ymm2, %ymm4, %ymm6
	LONG $0xd473ddc5; BYTE $0x20 // vpsrlq $32, %ymm4, %ymm4
	LONG $0xe2f4ddc5 // vpmuludq %ymm2, %ymm4, %ymm4
	LONG $0xd673b5c5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm9
	LONG $0x023563c4; WORD $0xaacc // vpblendd $170, %ymm4, %ymm9, %ymm9
	LONG $0xf473ddc5; BYTE $0x20 // vpsllq $32, %ymm4, %ymm4
	LONG $0x024de3c4; WORD $0xaae4 // vpblendd $170, %ymm4, %ymm6, %ymm4
	LONG $0x587da2c4; WORD $0xc634 // vpbroadcastd (%rsi,%r8,8), %ymm6
	LONG $0xdeefe5c5 // vpxor %ymm6, %ymm3, %ymm3
	LONG $0xdbefb5c5 // vpxor %ymm3, %ymm9, %ymm3
	LONG $0x587da2c4; WORD $0xc674; BYTE $0x04 // vpbroadcastd 4(%rsi,%r8,8), %ymm6
	LONG $0xeeefd5c5 // vpxor %ymm6, %ymm5, %ymm5
	LONG $0xf5efbdc5 // vpxor %ymm5, %ymm8, %ymm6
	LONG $0xe9f4e5c5 // vpmuludq %ymm1, %ymm3, %ymm5
	LONG $0xd373e5c5; BYTE $0x20 // vpsrlq $32, %ymm3, %ymm3
	LONG $0xd9f4e5c5 // vpmuludq %ymm1, %ymm3, %ymm3
	LONG $0xd573bdc5; BYTE $0x20 // vpsrlq $32, %ymm5, %ymm8
	LONG $0x023d63c4; WORD $0xaac3 // vpblendd $170, %ymm3, %ymm8, %ymm8
	LONG $0xf373e5c5; BYTE $0x20 // vpsllq $32, %ymm3, %ymm3
	LONG $0x0255e3c4; WORD $0xaaeb // vpblendd $170, %ymm3, %ymm5, %ymm5
	LONG $0xdaf4cdc5 // vpmuludq %ymm2, %ymm6, %ymm3
	LONG $0xd673cdc5; BYTE $0x20 // vpsrlq $32, %ymm6, %ymm6
	LONG $0xf2f4cdc5 // vpmuludq %ymm2, %ymm6, %ymm6
	LONG $0xd373b5c5; BYTE $0x20 // vpsrlq $32, %ymm3, %ymm9
	LONG $0x023563c4; WORD $0xaace // vpblendd $170, %ymm6, %ymm9, %ymm9
	LONG $0xf673cdc5; BYTE $0x20 // vpsllq $32, %ymm6, %ymm6
	LONG $0x0265e3c4; WORD $0xaade // vpblendd $170, %ymm6, %ymm3, %ymm3
	LONG $0x587da2c4; WORD $0xc674; BYTE $0x08 // vpbroadcastd 8(%rsi,%r8,8), %ymm6
	LONG $0xe4efcdc5 // vpxor %ymm4, %ymm6, %ymm4
	LONG $0xf4efb5c5 // vpxor %ymm4, %ymm9, %ymm6
	LONG $0x587da2c4; WORD $0xc664; BYTE $0x0c // vpbroadcastd 12(%rsi,%r8,8), %ymm4
	LONG $0xe7efddc5 // vpxor %ymm7, %ymm4, %ymm4
	LONG $0xe4efbdc5 // vpxor %ymm4, %ymm8, %ymm4
	LONG $0x02c08349 // addq $2, %r8
	LONG $0x0af88349 // cmpq $10, %r8
	LONG $0xff2b850f; WORD $0xffff // jne BB1_13
	LONG $0x347ffdc5; BYTE $0x24 // vmovdqa %ymm6, (%rsp)
	LONG $0x5c7ffdc5; WORD $0x2024 // vmovdqa %ymm3, 32(%rsp)
	LONG $0x647ffdc5; WORD $0x4024 // vmovdqa %ymm4, 64(%rsp)
	LONG $0x6c7ffdc5; WORD $0x6024 // vmovdqa %ymm5, 96(%rsp)
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0xfd6e8e0f; WORD $0xffff // jle BB1_6
	LONG $0x0f66f631; LONG $0x0000841f; WORD $0x0000; BYTE $0x00 // xorl %esi, %esi
	LONG $0xb4048b44 // BB1_16: movl (%rsp,%rsi,4), %r8d
	WORD $0x8b4c; BYTE $0x0f // movq (%rdi), %r9
	WORD $0x0149; BYTE $0xc1 // addq %rax, %r9
	LONG $0xb1048945 // movl %r8d, (%r9,%rsi,4)
	WORD $0xff48; BYTE $0xc6 // incq %rsi
	WORD $0x3948; BYTE $0xd6 // cmpq %rdx, %rsi
	WORD $0xea7c // jl BB1_16
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0xfd448e0f; WORD $0xffff // jle BB1_6
	LONG $0x6666f631; LONG $0x66666666; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // xorl %esi, %esi
	LONG $0xb4448b44; BYTE $0x20 // BB1_19: movl 32(%rsp,%rsi,4), %r8d
	LONG $0x084f8b4c // movq 8(%rdi), %r9
	WORD $0x0149; BYTE $0xc1 // addq %rax, %r9
	LONG $0xb1048945 // movl %r8d, (%r9,%rsi,4)
	WORD $0xff48; BYTE $0xc6 // incq %rsi
	WORD $0x3948; BYTE $0xd6 // cmpq %rdx, %rsi
	WORD $0xe87c // jl BB1_19
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0xfd128e0f; WORD $0xffff // jle BB1_6
	LONG $0x6666f631; LONG $0x0f2e6666; LONG $0x0000841f; WORD $0x0000; BYTE $0x00 // xorl %esi, %esi
	LONG $0xb4448b44; BYTE $0x40 // BB1_22: movl 64(%rsp,%rsi,4), %r8d
	LONG $0x104f8b4c // movq 16(%rdi), %r9
	WORD $0x0149; BYTE $0xc1 // addq %rax, %r9
	LONG $0xb1048945 // movl %r8d, (%r9,%rsi,4)
	WORD $0xff48; BYTE $0xc6 // incq %rsi
	WORD $0x3948; BYTE $0xd6 // cmpq %rdx, %rsi
	WORD $0xe87c // jl BB1_22
	WORD $0x8548; BYTE $0xd2 // testq %rdx, %rdx
	LONG $0xfce28e0f; WORD $0xffff // jle BB1_6
	LONG $0x6666f631; LONG $0x0f2e6666; LONG $0x0000841f; WORD $0x0000; BYTE $0x00 // xorl %esi, %esi
	LONG $0xb4448b44; BYTE $0x60 // BB1_25: movl 96(%rsp,%rsi,4), %r8d
	LONG $0x184f8b4c // movq 24(%rdi), %r9
	WORD $0x0149; BYTE $0xc1 // addq %rax, %r9
	LONG $0xb1048945 // movl %r8d, (%r9,%rsi,4)
	WORD $0xff48; BYTE $0xc6 // incq %rsi
	WORD $0x3948; BYTE $0xd6 // cmpq %rdx, %rsi
	WORD $0xe87c // jl BB1_25
	LONG $0xfffcb6e9; BYTE $0xff // jmp BB1_6
	WORD $0x8948; BYTE $0xec // BB1_7: movq %rbp, %rsp
	BYTE $0x5d // popq %rbp
	WORD $0xf8c5; BYTE $0x77 // BB1_8: vzeroupper
	RET
