//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

DATA lanes<>+0(SB)/4, $0
DATA lanes<>+4(SB)/4, $1
DATA lanes<>+8(SB)/4, $2
DATA lanes<>+12(SB)/4, $3
DATA lanes<>+16(SB)/4, $4
DATA lanes<>+20(SB)/4, $5
DATA lanes<>+24(SB)/4, $6
DATA lanes<>+28(SB)/4, $7
DATA lanes<>+32(SB)/4, $8
DATA lanes<>+36(SB)/4, $9
DATA lanes<>+40(SB)/4, $10
DATA lanes<>+44(SB)/4, $11
DATA lanes<>+48(SB)/4, $12
DATA lanes<>+52(SB)/4, $13
DATA lanes<>+56(SB)/4, $14
DATA lanes<>+60(SB)/4, $15
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// The lanes in use of a vector, N tokens left, in MASK. R15 holds 0xFFFF.
// Rubbish in R14.
#define LANES(N, MASK) \
	MOVQ $-1, R14 \
	BZHIQ N, R14, R14 \
	CMPQ N, $16 \
	CMOVQGE R15, R14 \
	KMOVW R14, MASK

// func loadPairsAVX512(a *warpPairs) int
TEXT ·loadPairsAVX512(SB), NOSPLIT, $0-16
	MOVQ a+0(FP), AX
	MOVQ warpPairs_pairs(AX), SI
	MOVQ warpPairs_at(AX), R8
	MOVQ warpPairs_block(AX), R9
	MOVQ warpPairs_z(AX), R10
	MOVQ warpPairs_proposal(AX), R11
	MOVQ warpPairs_segments(AX), BX
	MOVQ warpPairs_begins(AX), DX
	MOVQ warpPairs_n(AX), CX
	MOVL $0xFFFF, R15
	VPBROADCASTD R15, Z16
	VMOVDQU32 lanes<>(SB), Z17
	MOVL $16, AX
	VPBROADCASTD AX, Z18
	XORQ AX, AX // tokens so far

segment:
	MOVL warpSegment_block(BX), R12
	MOVL warpSegment_begin(BX), R13
	MOVL warpSegment_n(BX), DI
	VPBROADCASTD R12, Z3
	VPBROADCASTD R13, Z2
	VPADDD Z17, Z2, Z2
	ADDQ (DX)(R12*8), R13
	LEAQ (SI)(R13*4), R13

vector:
	LANES(DI, K1)
	VMOVDQU32.Z (R13), K1, Z0
	VPSRLD $16, Z0, Z1
	VPANDD Z16, Z0, Z0
	VMOVDQU32 Z0, (R10)(AX*4)
	VMOVDQU32 Z1, (R11)(AX*4)
	VMOVDQU32 Z2, (R8)(AX*4)
	VMOVDQU32 Z3, (R9)(AX*4)
	CMPQ DI, $16
	JGT  more
	ADDQ DI, AX
	ADDQ $warpSegment__size, BX
	DECQ CX
	JNE  segment
	MOVQ AX, ret+8(FP)
	VZEROUPPER
	RET

more:
	ADDQ $16, AX
	ADDQ $64, R13
	SUBQ $16, DI
	VPADDD Z18, Z2, Z2
	JMP  vector

// func storePairsAVX512(a *warpPairs)
TEXT ·storePairsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ warpPairs_pairs(AX), SI
	MOVQ warpPairs_z(AX), R10
	MOVQ warpPairs_proposal(AX), R11
	MOVQ warpPairs_segments(AX), BX
	MOVQ warpPairs_begins(AX), DX
	MOVQ warpPairs_n(AX), CX
	MOVL $0xFFFF, R15
	XORQ AX, AX

segment:
	MOVL warpSegment_block(BX), R12
	MOVL warpSegment_begin(BX), R13
	MOVL warpSegment_n(BX), DI
	ADDQ (DX)(R12*8), R13
	LEAQ (SI)(R13*4), R13

vector:
	LANES(DI, K1)
	VPSLLD $16, (R11)(AX*4), Z1
	VPORD (R10)(AX*4), Z1, Z1
	VMOVDQU32 Z1, K1, (R13)
	CMPQ DI, $16
	JGT  more
	ADDQ DI, AX
	ADDQ $warpSegment__size, BX
	DECQ CX
	JNE  segment
	VZEROUPPER
	RET

more:
	ADDQ $16, AX
	ADDQ $64, R13
	SUBQ $16, DI
	JMP  vector

// func loadDocPairsAVX512(a *warpPairs)
TEXT ·loadDocPairsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ warpPairs_pairs(AX), SI
	MOVQ warpPairs_at(AX), R8
	MOVQ warpPairs_z(AX), R10
	MOVQ warpPairs_proposal(AX), R11
	MOVQ warpPairs_block(AX), R9
	MOVQ warpPairs_places(AX), BX
	VPBROADCASTD warpPairs_number(AX), Z3
	MOVQ warpPairs_n(AX), CX
	MOVL $0xFFFF, R15
	VPBROADCASTD R15, Z16
	XORQ AX, AX

vector:
	LANES(CX, K1)
	VPMOVZXWD.Z (BX)(AX*2), K1, Z2
	VPXORD Z0, Z0, Z0
	VPGATHERDD (SI)(Z2*4), K1, Z0
	VPSRLD $16, Z0, Z1
	VPANDD Z16, Z0, Z0
	VMOVDQU32 Z0, (R10)(AX*4)
	VMOVDQU32 Z1, (R11)(AX*4)
	VMOVDQU32 Z2, (R8)(AX*4)
	VMOVDQU32 Z3, (R9)(AX*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  vector
	VZEROUPPER
	RET

// func storeDocPairsAVX512(a *warpPairs)
TEXT ·storeDocPairsAVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ warpPairs_pairs(AX), SI
	MOVQ warpPairs_at(AX), R8
	MOVQ warpPairs_z(AX), R10
	MOVQ warpPairs_proposal(AX), R11
	MOVQ warpPairs_n(AX), CX
	MOVL $0xFFFF, R15
	XORQ AX, AX

vector:
	LANES(CX, K1)
	VMOVDQU32.Z (R8)(AX*4), K1, Z2
	VPSLLD $16, (R11)(AX*4), Z1
	VPORD (R10)(AX*4), Z1, Z1
	VPSCATTERDD Z1, K1, (SI)(Z2*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  vector
	VZEROUPPER
	RET
