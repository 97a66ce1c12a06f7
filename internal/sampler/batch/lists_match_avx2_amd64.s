//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// WEIGHTS computes the weights of the eight matches at entry OFF(DI)(DX*4) in W. Through it: R8 row, R11 inv, Y15 0xffff, X14 log2 of
// a cell's bytes, Y13 bits of a cell, Y12 the old topic, Y11 zeros.
#define WEIGHTS(OFF, W) \
	VMOVDQU   OFF(DI)(DX*4), Y0 \
	VPAND     Y15, Y0, Y1 \
	VPCMPEQD  Y12, Y1, Y2 \
	VPCMPEQD  Y11, Y0, Y3 \
	VPANDN    Y2, Y3, Y2 \
	VPSRLD    $16, Y0, Y0 \
	VPADDD    Y2, Y0, Y0 \
	VCVTDQ2PS Y0, Y0 \
	VPSLLD    X14, Y1, Y4 \
	VPCMPEQD  Y3, Y3, Y3 \
	VPGATHERDD Y3, (R8)(Y4*1), Y5 \
	VPAND     Y13, Y5, Y5 \
	VPADDD    Y2, Y5, Y5 \
	VCVTDQ2PS Y5, Y5 \
	VPCMPEQD  Y3, Y3, Y3 \
	VGATHERDPS Y3, (R11)(Y1*4), Y4 \
	VMULPS    Y4, Y0, Y0 \
	VMULPS    Y5, Y0, W

// func findMatchesAVX2(c *matchCall)
//
// SI call, R9 list, R10 its length, BX bits, DI entries of the matches, R15 their places in the list, CX their number.
TEXT ·findMatchesAVX2(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), SI
	MOVQ matchCall_list(SI), R9
	MOVQ matchCall_length(SI), R10
	MOVQ matchCall_bits(SI), BX
	MOVQ matchCall_entry(SI), DI
	MOVQ matchCall_at(SI), R15
	VPXOR Y11, Y11, Y11
	MOVL $31, AX
	VMOVD AX, X15
	VPBROADCASTD X15, Y15
	XORQ CX, CX
	XORQ DX, DX

filter:
	VMOVDQU  (R9)(DX*4), Y0
	VPSRLD   $5, Y0, Y1
	VPAND    Y15, Y1, Y1
	VPCMPEQD Y2, Y2, Y2
	VPGATHERDD Y2, (BX)(Y1*4), Y3
	VPANDN   Y15, Y0, Y1
	VPSLLVD  Y1, Y3, Y3
	VPCMPEQD Y11, Y0, Y1
	VMOVMSKPS Y3, AX
	VMOVMSKPS Y1, R8
	ANDNL    AX, R8, AX
	TESTL    AX, AX
	JZ       filtered

match:
	TZCNTL AX, R8
	ADDQ   DX, R8
	MOVL   R8, (R15)(CX*4)
	MOVL   (R9)(R8*4), R8
	MOVL   R8, (DI)(CX*4)
	INCQ   CX
	BLSRL  AX, AX
	JNZ    match

filtered:
	ADDQ $8, DX
	CMPQ DX, R10
	JLT  filter

	// Weights and prefix sums, sixteen at a time. Y10 the sum before.
	VMOVDQU Y11, (DI)(CX*4)
	VMOVDQU Y11, 32(DI)(CX*4)
	MOVQ CX, matchCall_n(SI)
	MOVL $0xffff, AX
	VMOVD AX, X15
	VPBROADCASTD X15, Y15
	VPBROADCASTD matchCall_old(SI), Y12
	VPBROADCASTD matchCall_keep(SI), Y13
	MOVL matchCall_log2(SI), AX
	VMOVD AX, X14
	MOVQ matchCall_row(SI), R8
	MOVQ matchCall_inv(SI), R11
	MOVQ matchCall_prefix(SI), R9
	VPXOR Y10, Y10, Y10
	XORQ DX, DX

weights:
	WEIGHTS(0, Y6)
	WEIGHTS(32, Y7)

	// By one and by two lanes: the registers moved up by four lanes, and what lies between.
	VPERM2I128 $0x08, Y6, Y6, Y0
	VPERM2I128 $0x03, Y6, Y7, Y1
	VPALIGNR $12, Y0, Y6, Y0
	VPALIGNR $12, Y1, Y7, Y1
	VADDPS Y0, Y6, Y6
	VADDPS Y1, Y7, Y7
	VPERM2I128 $0x08, Y6, Y6, Y0
	VPERM2I128 $0x03, Y6, Y7, Y1
	VPALIGNR $8, Y0, Y6, Y0
	VPALIGNR $8, Y1, Y7, Y1
	VADDPS Y0, Y6, Y6
	VADDPS Y1, Y7, Y7

	// By four and by eight.
	VPERM2I128 $0x08, Y6, Y6, Y0
	VPERM2I128 $0x03, Y6, Y7, Y1
	VADDPS Y0, Y6, Y6
	VADDPS Y1, Y7, Y7
	VADDPS Y6, Y7, Y7
	VADDPS Y10, Y6, Y6
	VADDPS Y10, Y7, Y7
	VMOVUPS Y6, (R9)(DX*4)
	VMOVUPS Y7, 32(R9)(DX*4)
	VBROADCASTSS 60(R9)(DX*4), Y10
	ADDQ $16, DX
	CMPQ DX, CX
	JLT  weights
	VMOVSS X10, matchCall_all(SI)
	VZEROUPPER
	RET
