// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 6dd7732b3089caf1f3fc66e99b5a4a9d. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func addDenseAVX2(a *addArgs)
TEXT ·addDenseAVX2(SB), 0, $144-8
	MOVQ a+0(FP), DI
	JMP code
	PCALIGN $64
	LONG $0x00000001; LONG $0x06050403; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00030201; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000
	LONG $0x00000000; LONG $0x00000000; LONG $0x00000000; LONG $0x00000000

code:
	LONG $0x207f8348; BYTE $0x00 // cmpq $0, 32(%rdi)
	LONG $0x02048e0f; WORD $0x0000 // jle BB1_7
	BYTE $0x55 // pushq %rbp
	WORD $0x5741 // pushq %r15
	WORD $0x5641 // pushq %r14
	WORD $0x5541 // pushq %r13
	WORD $0x5441 // pushq %r12
	BYTE $0x53 // pushq %rbx
	LONG $0x185f8b4c // movq 24(%rdi), %r11
	LONG $0x28478b48 // movq 40(%rdi), %rax
	LONG $0x03448d49; BYTE $0xff // leaq -1(%r11,%rax), %rax
	WORD $0x4f8b; BYTE $0x30 // movl 48(%rdi), %ecx
	WORD $0x8b48; BYTE $0x17 // movq (%rdi), %rdx
	LONG $0x08778b48 // movq 8(%rdi), %rsi
	LONG $0xc16ef9c5 // vmovd %ecx, %xmm0
	LONG $0x5879e2c4; BYTE $0xc0 // vpbroadcastd %xmm0, %xmm0
	WORD $0x3145; BYTE $0xc0 // xorl %r8d, %r8d
	LONG $0x2179e2c4; LONG $0xffff430d; BYTE $0xff // vpmovsxbd .LCPI1_3(%rip), %xmm1
	LONG $0x5879e2c4; LONG $0xffff3615; BYTE $0xff // vpbroadcastd .LCPI1_1(%rip), %xmm2
	LONG $0x217de2c4; LONG $0xffff6d1d; BYTE $0xff // vpmovsxbd .LCPI1_4(%rip), %ymm3
	WORD $0x3145; BYTE $0xc9 // xorl %r9d, %r9d
	LONG $0x1f0f4ceb; LONG $0x00000084; WORD $0x0000 // jmp BB1_2
	LONG $0x257de2c4; BYTE $0xec // BB1_4: vpmovsxdq %xmm4, %ymm5
	LONG $0x397de3c4; WORD $0x01e4 // vextracti128 $1, %ymm4, %xmm4
	LONG $0x257de2c4; BYTE $0xe4 // vpmovsxdq %xmm4, %ymm4
	LONG $0x66d4ddc5; BYTE $0x20 // vpaddq 32(%rsi), %ymm4, %ymm4
	LONG $0x2ed4d5c5 // vpaddq (%rsi), %ymm5, %ymm5
	LONG $0x2e7ffec5 // vmovdqu %ymm5, (%rsi)
	LONG $0x667ffec5; BYTE $0x20 // vmovdqu %ymm4, 32(%rsi)
	LONG $0x40c68348 // addq $64, %rsi
	LONG $0x07eac141 // BB1_5: shrl $7, %r10d
	WORD $0x014d; BYTE $0xd3 // addq %r10, %r11
	WORD $0xff49; BYTE $0xc1 // incq %r9
	LONG $0x20c28348 // addq $32, %rdx
	LONG $0x20578b4c // movq 32(%rdi), %r10
	WORD $0x014d; BYTE $0xd2 // addq %r10, %r10
	WORD $0x394d; BYTE $0xd1 // cmpq %r10, %r9
	LONG $0x01618d0f; WORD $0x0000 // jge BB1_6
	LONG $0x10578b4c // BB1_2: movq 16(%rdi), %r10
	LONG $0x14b60f47; BYTE $0x0a // movzbl (%r10,%r9), %r10d
	WORD $0x8945; BYTE $0xd4 // movl %r10d, %r12d
	LONG $0x01e48341 // andl $1, %r12d
	LONG $0x23348d4f // leaq (%r11,%r12), %r14
	WORD $0x8945; BYTE $0xd7 // movl %r10d, %r15d
	WORD $0xd141; BYTE $0xef // shrl %r15d
	LONG $0x01e78341 // andl $1, %r15d
	LONG $0xe2ba0f41; BYTE $0x02 // btl $2, %r10d
	LONG $0x000000bd; BYTE $0x00 // movl $0, %ebp
	WORD $0xed19 // sbbl %ebp, %ebp
	LONG $0xe2ba0f41; BYTE $0x02 // btl $2, %r10d
	WORD $0x894c; BYTE $0xf3 // movq %r14, %rbx
	WORD $0x114c; BYTE $0xfb // adcq %r15, %rbx
	WORD $0x3949; BYTE $0xc3 // cmpq %rax, %r11
	LONG $0xd8430f4c // cmovaeq %rax, %r11
	LONG $0x1bbe0f45 // movsbl (%r11), %r11d
	LONG $0xd9af0f44 // imull %ecx, %r11d
	WORD $0x854d; BYTE $0xe4 // testq %r12, %r12
	LONG $0xd8440f45 // cmovel %r8d, %r11d
	WORD $0x8945; BYTE $0xfc // movl %r15d, %r12d
	WORD $0xf741; BYTE $0xdc // negl %r12d
	WORD $0x3949; BYTE $0xc6 // cmpq %rax, %r14
	WORD $0x8949; BYTE $0xc5 // movq %rax, %r13
	LONG $0xee420f4d // cmovbq %r14, %r13
	LONG $0x6dbe0f45; BYTE $0x00 // movsbl (%r13), %r13d
	LONG $0xe9af0f44 // imull %ecx, %r13d
	WORD $0x2145; BYTE $0xe5 // andl %r12d, %r13d
	WORD $0x014d; BYTE $0xfe // addq %r15, %r14
	WORD $0x3949; BYTE $0xc6 // cmpq %rax, %r14
	LONG $0xf0430f4c // cmovaeq %rax, %r14
	LONG $0x36be0f45 // movsbl (%r14), %r14d
	LONG $0xf1af0f44 // imull %ecx, %r14d
	WORD $0x2141; BYTE $0xee // andl %ebp, %r14d
	LONG $0x6e79c1c4; BYTE $0xe3 // vmovd %r11d, %xmm4
	LONG $0x2259c3c4; WORD $0x01e5 // vpinsrd $1, %r13d, %xmm4, %xmm4
	LONG $0x2259c3c4; WORD $0x02e6 // vpinsrd $2, %r14d, %xmm4, %xmm4
	WORD $0x3948; BYTE $0xc3 // cmpq %rax, %rbx
	WORD $0x8949; BYTE $0xc3 // movq %rax, %r11
	LONG $0x6e79c1c4; BYTE $0xea // vmovd %r10d, %xmm5
	LONG $0x5879e2c4; BYTE $0xed // vpbroadcastd %xmm5, %xmm5
	LONG $0x4551e2c4; BYTE $0xe9 // vpsrlvd %xmm1, %xmm5, %xmm5
	LONG $0xdb420f4c // cmovbq %rbx, %r11
	LONG $0xeadbd1c5 // vpand %xmm2, %xmm5, %xmm5
	LONG $0x7e79c1c4; BYTE $0xee // vmovd %xmm5, %r14d
	WORD $0x0149; BYTE $0xde // addq %rbx, %r14
	WORD $0x3949; BYTE $0xc6 // cmpq %rax, %r14
	WORD $0x8948; BYTE $0xc3 // movq %rax, %rbx
	LONG $0xde420f49 // cmovbq %r14, %rbx
	LONG $0x1679c3c4; WORD $0x01ef // vpextrd $1, %xmm5, %r15d
	WORD $0x014d; BYTE $0xf7 // addq %r14, %r15
	WORD $0x3949; BYTE $0xc7 // cmpq %rax, %r15
	WORD $0x8949; BYTE $0xc6 // movq %rax, %r14
	LONG $0xf7420f4d // cmovbq %r15, %r14
	LONG $0x1679c3c4; WORD $0x02ec // vpextrd $2, %xmm5, %r12d
	WORD $0x014d; BYTE $0xfc // addq %r15, %r12
	WORD $0x3949; BYTE $0xc4 // cmpq %rax, %r12
	WORD $0x8949; BYTE $0xc7 // movq %rax, %r15
	LONG $0xfc420f4d // cmovbq %r12, %r15
	LONG $0x1bb60f45 // movzbl (%r11), %r11d
	LONG $0x6e79c1c4; BYTE $0xf3 // vmovd %r11d, %xmm6
	LONG $0x2049e3c4; WORD $0x0133 // vpinsrb $1, (%rbx), %xmm6, %xmm6
	LONG $0x2049c3c4; WORD $0x0236 // vpinsrb $2, (%r14), %xmm6, %xmm6
	LONG $0x2049c3c4; WORD $0x0337 // vpinsrb $3, (%r15), %xmm6, %xmm6
	LONG $0x2179e2c4; BYTE $0xf6 // vpmovsxbd %xmm6, %xmm6
	LONG $0x4079e2c4; BYTE $0xf6 // vpmulld %xmm6, %xmm0, %xmm6
	LONG $0xfa76d1c5 // vpcmpeqd %xmm2, %xmm5, %xmm7
	LONG $0xf6dbc1c5 // vpand %xmm6, %xmm7, %xmm6
	LONG $0x3665e2c4; BYTE $0xf6 // vpermd %ymm6, %ymm3, %ymm6
	LONG $0x024de3c4; WORD $0x07e4 // vpblendd $7, %ymm4, %ymm6, %ymm4
	LONG $0x1679c3c4; WORD $0x03eb // vpextrd $3, %xmm5, %r11d
	WORD $0x014d; BYTE $0xe3 // addq %r12, %r11
	WORD $0x3949; BYTE $0xc3 // cmpq %rax, %r11
	WORD $0x8948; BYTE $0xc3 // movq %rax, %rbx
	LONG $0xdb420f49 // cmovbq %r11, %rbx
	WORD $0xbe0f; BYTE $0x1b // movsbl (%rbx), %ebx
	WORD $0xaf0f; BYTE $0xd9 // imull %ecx, %ebx
	WORD $0x8445; BYTE $0xd2 // testb %r10b, %r10b
	LONG $0xd8490f41 // cmovnsl %r8d, %ebx
	LONG $0xeb6ef9c5 // vmovd %ebx, %xmm5
	LONG $0x587de2c4; BYTE $0xed // vpbroadcastd %xmm5, %ymm5
	LONG $0x025de3c4; WORD $0x80e5 // vpblendd $128, %ymm5, %ymm4, %ymm4
	LONG $0x2afeddc5 // vpaddd (%rdx), %ymm4, %ymm5
	LONG $0x2a7ffec5 // vmovdqu %ymm5, (%rdx)
	WORD $0x8548; BYTE $0xf6 // testq %rsi, %rsi
	LONG $0xfe62850f; WORD $0xffff // jne BB1_4
	WORD $0xf631 // xorl %esi, %esi
	LONG $0xfffe81e9; BYTE $0xff // jmp BB1_5
	BYTE $0x5b // BB1_6: popq %rbx
	WORD $0x5c41 // popq %r12
	WORD $0x5d41 // popq %r13
	WORD $0x5e41 // popq %r14
	WORD $0x5f41 // popq %r15
	BYTE $0x5d // popq %rbp
	WORD $0xf8c5; BYTE $0x77 // BB1_7: vzeroupper
	RET

// func packDenseAVX2(set *byte, values *byte, delta *int32, groups int, most *uint32) (n int)
TEXT ·packDenseAVX2(SB), 0, $144-48
	MOVQ set+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ delta+16(FP), DX
	MOVQ groups+24(FP), CX
	MOVQ most+32(FP), R8
	PCALIGN $32
	WORD $0x8548; BYTE $0xc9 // testq %rcx, %rcx
	LONG $0x01158e0f; WORD $0x0000 // jle BB0_1
	WORD $0x5641 // pushq %r14
	BYTE $0x53 // pushq %rbx
	WORD $0x0148; BYTE $0xc9 // addq %rcx, %rcx
	LONG $0x02f98348 // cmpq $2, %rcx
	LONG $0x0001b941; WORD $0x0000 // movl $1, %r9d
	LONG $0xc94d0f4c // cmovgeq %rcx, %r9
	LONG $0xc0eff9c5 // vpxor %xmm0, %xmm0, %xmm0
	WORD $0xc031 // xorl %eax, %eax
	LONG $0x6666c931; LONG $0x841f0f2e; LONG $0x00000000; BYTE $0x00 // xorl %ecx, %ecx
	WORD $0x8b44; BYTE $0x1a // BB0_4: movl (%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	LONG $0xc2950f41 // setne %r10b
	WORD $0x014c; BYTE $0xd0 // addq %r10, %rax
	LONG $0x045a8b44 // movl 4(%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0xdb31 // xorl %ebx, %ebx
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	WORD $0x950f; BYTE $0xc3 // setne %bl
	WORD $0x0148; BYTE $0xd8 // addq %rbx, %rax
	WORD $0xdb00 // addb %bl, %bl
	WORD $0x0841; BYTE $0xda // orb %bl, %r10b
	LONG $0x085a8b44 // movl 8(%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0xdb31 // xorl %ebx, %ebx
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	WORD $0x950f; BYTE $0xc3 // setne %bl
	WORD $0x0148; BYTE $0xd8 // addq %rbx, %rax
	WORD $0xe3c0; BYTE $0x02 // shlb $2, %bl
	WORD $0x0844; BYTE $0xd3 // orb %r10b, %bl
	LONG $0x0c528b44 // movl 12(%rdx), %r10d
	LONG $0x06148844 // movb %r10b, (%rsi,%rax)
	WORD $0x3145; BYTE $0xdb // xorl %r11d, %r11d
	WORD $0x8545; BYTE $0xd2 // testl %r10d, %r10d
	LONG $0xc3950f41 // setne %r11b
	WORD $0x014c; BYTE $0xd8 // addq %r11, %rax
	LONG $0x03e3c041 // shlb $3, %r11b
	WORD $0x0841; BYTE $0xdb // orb %bl, %r11b
	LONG $0x10528b44 // movl 16(%rdx), %r10d
	LONG $0x06148844 // movb %r10b, (%rsi,%rax)
	WORD $0xdb31 // xorl %ebx, %ebx
	WORD $0x8545; BYTE $0xd2 // testl %r10d, %r10d
	WORD $0x950f; BYTE $0xc3 // setne %bl
	WORD $0x0148; BYTE $0xd8 // addq %rbx, %rax
	WORD $0xe3c0; BYTE $0x04 // shlb $4, %bl
	WORD $0x0844; BYTE $0xdb // orb %r11b, %bl
	LONG $0x145a8b44 // movl 20(%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0x3145; BYTE $0xd2 // xorl %r10d, %r10d
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	LONG $0xc2950f41 // setne %r10b
	WORD $0x014c; BYTE $0xd0 // addq %r10, %rax
	LONG $0x05e2c041 // shlb $5, %r10b
	WORD $0x0841; BYTE $0xda // orb %bl, %r10b
	LONG $0x185a8b44 // movl 24(%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0xdb31 // xorl %ebx, %ebx
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	WORD $0x950f; BYTE $0xc3 // setne %bl
	WORD $0x0148; BYTE $0xd8 // addq %rbx, %rax
	WORD $0xe3c0; BYTE $0x06 // shlb $6, %bl
	LONG $0x1c5a8b44 // movl 28(%rdx), %r11d
	LONG $0x061c8844 // movb %r11b, (%rsi,%rax)
	WORD $0x3145; BYTE $0xf6 // xorl %r14d, %r14d
	WORD $0x8545; BYTE $0xdb // testl %r11d, %r11d
	LONG $0xc6950f41 // setne %r14b
	WORD $0x014c; BYTE $0xf0 // addq %r14, %rax
	LONG $0x07e6c041 // shlb $7, %r14b
	WORD $0x0841; BYTE $0xde // orb %bl, %r14b
	WORD $0x0845; BYTE $0xd6 // orb %r10b, %r14b
	LONG $0x0f348844 // movb %r14b, (%rdi,%rcx)
	LONG $0x1e7de2c4; BYTE $0x0a // vpabsd (%rdx), %ymm1
	LONG $0x3f75e2c4; BYTE $0xc0 // vpmaxud %ymm0, %ymm1, %ymm0
	WORD $0xff48; BYTE $0xc1 // incq %rcx
	LONG $0x20c28348 // addq $32, %rdx
	WORD $0x3949; BYTE $0xc9 // cmpq %rcx, %r9
	LONG $0xff17850f; WORD $0xffff // jne BB0_4
	BYTE $0x5b // popq %rbx
	WORD $0x5e41 // popq %r14
	WORD $0x06eb // jmp BB0_2
	LONG $0xc0eff9c5 // BB0_1: vpxor %xmm0, %xmm0, %xmm0
	WORD $0xc031 // xorl %eax, %eax
	LONG $0x397de3c4; WORD $0x01c1 // BB0_2: vextracti128 $1, %ymm0, %xmm1
	LONG $0x3f79e2c4; BYTE $0xc1 // vpmaxud %xmm1, %xmm0, %xmm0
	LONG $0xc870f9c5; BYTE $0xee // vpshufd $238, %xmm0, %xmm1
	LONG $0x3f79e2c4; BYTE $0xc1 // vpmaxud %xmm1, %xmm0, %xmm0
	LONG $0xc870f9c5; BYTE $0x55 // vpshufd $85, %xmm0, %xmm1
	LONG $0x3f79e2c4; BYTE $0xc1 // vpmaxud %xmm1, %xmm0, %xmm0
	LONG $0x7e79c1c4; BYTE $0x00 // vmovd %xmm0, (%r8)
	WORD $0xf8c5; BYTE $0x77 // vzeroupper
	MOVQ AX, n+40(FP)
	RET
