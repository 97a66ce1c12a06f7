//go:build amd64 && !noasm

#include "textflag.h"

// One round of eight blocks, a word of each in the lower halves of 64-bit lanes
// (see fill_amd64.s): A0 … A3 become B0 … B3. The keys are at K and K+4 of DX, the
// multipliers in Z16 and Z17.
#define ROUND(K, A0, A1, A2, A3, B0, B1, B2, B3) \
	VPMULUDQ A0, Z16, B3 \
	VPMULUDQ A2, Z17, B1 \
	VPSHUFD  $0xF5, B1, B0 \
	VPSHUFD  $0xF5, B3, B2 \
	VPTERNLOGD.BCST $0x96, K(DX), A1, B0 \
	VPTERNLOGD.BCST $0x96, (K+4)(DX), A3, B2

// Two rounds of sixteen blocks, in Z0 … Z3 and Z8 … Z11.
#define ROUNDS(K) \
	ROUND(K, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	ROUND(K, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	ROUND(K+8, Z4, Z5, Z6, Z7, Z0, Z1, Z2, Z3) \
	ROUND(K+8, Z12, Z13, Z14, Z15, Z8, Z9, Z10, Z11)

// func blocksAVX512(dst *Words, c0 *uint32, c1, c2 uint32, c3 *uint32, n int, keys *schedule)
//
// K1 and K2 select the lanes in use of the two halves of a step.
TEXT ·blocksAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ c0+8(FP), SI
	MOVQ c3+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ keys+40(FP), DX
	MOVQ 0(DI), R8
	MOVQ 24(DI), R9
	MOVQ 48(DI), R10
	MOVQ 72(DI), R11
	MOVL $0xD2511F53, AX
	VPBROADCASTD AX, Z16
	MOVL $0xCD9E8D57, AX
	VPBROADCASTD AX, Z17
	MOVL c1+16(FP), AX
	VPBROADCASTD AX, Z18
	MOVL c2+20(FP), AX
	VPBROADCASTD AX, Z19
	MOVL $0xFFFF, R12
	XORQ AX, AX

step:
	MOVQ $-1, R13
	BZHIQ CX, R13, R13 // a bit for each block left; all of them from 64 on
	CMPQ CX, $16
	CMOVQGE R12, R13
	KMOVW R13, K1
	KSHIFTRW $8, K1, K2
	VPMOVZXDQ (SI)(AX*4), K1, Z0
	VPMOVZXDQ 32(SI)(AX*4), K2, Z8
	VMOVDQA64 Z18, Z1
	VMOVDQA64 Z18, Z9
	VMOVDQA64 Z19, Z2
	VMOVDQA64 Z19, Z10
	VPMOVZXDQ (BX)(AX*4), K1, Z3
	VPMOVZXDQ 32(BX)(AX*4), K2, Z11
	ROUNDS(0)
	ROUNDS(16)
	ROUNDS(32)
	ROUNDS(48)
	ROUNDS(64)
	VPMOVQD Z0, K1, (R8)(AX*4)
	VPMOVQD Z8, K2, 32(R8)(AX*4)
	VPMOVQD Z1, K1, (R9)(AX*4)
	VPMOVQD Z9, K2, 32(R9)(AX*4)
	VPMOVQD Z2, K1, (R10)(AX*4)
	VPMOVQD Z10, K2, 32(R10)(AX*4)
	VPMOVQD Z3, K1, (R11)(AX*4)
	VPMOVQD Z11, K2, 32(R11)(AX*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  step
	VZEROUPPER
	RET
