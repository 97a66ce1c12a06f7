//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// TREE adds up 16 lanes, neighbours in pairs first; every lane gets the sum.
#define TREE(X, T) \
	VPERMILPS  $0xb1, X, T \
	VADDPS     T, X, X \
	VPERMILPS  $0x4e, X, T \
	VADDPS     T, X, X \
	VSHUFF32X4 $0xb1, X, X, T \
	VADDPS     T, X, X \
	VSHUFF32X4 $0x4e, X, X, T \
	VADDPS     T, X, X

// func prepareRowAVX512(c *rowCall)
//
// SI call, R8 row, R9 group, R10 groups, BX bits, DI sums, R11 smooth, R12 base, CX log2 of a cell's bytes, R13 list, R14 its length,
// Z31 zeros, Z30 β, Z29 and Z28 the topics of the group, Z27 32, X20 sum.
TEXT ·prepareRowAVX512(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), SI
	MOVQ rowCall_row(SI), R8
	MOVQ rowCall_groups(SI), R10
	MOVQ rowCall_bits(SI), BX
	MOVQ rowCall_sums(SI), DI
	MOVQ rowCall_smooth(SI), R11
	MOVQ rowCall_base(SI), R12
	MOVL rowCall_log2(SI), CX
	VPXORD Z31, Z31, Z31
	VBROADCASTSS rowCall_beta(SI), Z30
	VMOVDQU32 Z31, (BX)
	VMOVDQU32 Z31, 64(BX)
	VPXORD X20, X20, X20
	XORQ R9, R9
	MOVQ rowCall_list(SI), R13
	XORQ R14, R14
	VMOVDQU32 ·laneNumbers(SB), Z29
	MOVL $16, AX
	VPBROADCASTD AX, Z28
	VPADDD Z28, Z28, Z27
	VPADDD Z28, Z29, Z28

group:
	CMPL CX, $1
	JEQ  rowHalves
	JGT  rowWords
	VPMOVZXBD (R8), Z2
	VPMOVZXBD 16(R8), Z3
	ADDQ $32, R8
	JMP  rowCells

rowHalves:
	VPMOVZXWD (R8), Z2
	VPMOVZXWD 32(R8), Z3
	ADDQ $64, R8
	JMP  rowCells

rowWords:
	VMOVDQU32 (R8), Z2
	VMOVDQU32 64(R8), Z3
	ADDQ $128, R8

rowCells:
	VPTESTMD Z2, Z2, K1
	VPTESTMD Z3, Z3, K2
	KUNPCKWD K1, K2, K1
	KMOVD    K1, AX
	TESTL    AX, AX
	JZ       rowNone
	MOVL     R9, DX
	ANDL     $31, DX
	ORL      AX, (BX)(DX*4)
	TESTQ    R13, R13
	JZ       rowWeights
	KSHIFTRD $16, K1, K2
	VPSLLD   $16, Z2, Z4
	VPSLLD   $16, Z3, Z5
	VPORD    Z29, Z4, Z4
	VPORD    Z28, Z5, Z5
	VPCOMPRESSD.Z Z4, K1, Z4
	VPCOMPRESSD.Z Z5, K2, Z5
	VMOVDQU32 Z4, (R13)(R14*4)
	MOVWLZX  AX, DX
	POPCNTL  DX, DX
	ADDQ     DX, R14
	VMOVDQU32 Z5, (R13)(R14*4)
	SHRL     $16, AX
	POPCNTL  AX, AX
	ADDQ     AX, R14

rowWeights:
	VCVTDQ2PS Z2, Z2
	VCVTDQ2PS Z3, Z3
	VADDPS   Z30, Z2, Z2
	VADDPS   Z30, Z3, Z3
	VMULPS   (R11), Z2, Z2
	VMULPS   64(R11), Z3, Z3
	TREE(Z2, Z4)
	TREE(Z3, Z5)
	VADDSS   X2, X3, X2
	JMP      rowSum

rowNone:
	VMOVSS (R12)(R9*4), X2

rowSum:
	VADDSS X2, X20, X20
	VMOVSS X20, (DI)(R9*4)
	VPADDD Z27, Z29, Z29
	VPADDD Z27, Z28, Z28
	ADDQ   $128, R11
	INCQ   R9
	CMPQ   R9, R10
	JLT    group
	MOVQ   R14, rowCall_length(SI)
	VZEROUPPER
	RET
