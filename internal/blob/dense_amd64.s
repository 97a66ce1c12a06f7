//go:build amd64 && !noasm

#include "textflag.h"

// func packDenseAVX512(set, values *byte, delta *int32, groups int) (n int, most uint32)
TEXT ·packDenseAVX512(SB), NOSPLIT, $0-44
	MOVQ set+0(FP), DI
	MOVQ values+8(FP), R8
	MOVQ delta+16(FP), SI
	MOVQ groups+24(FP), CX
	MOVQ R8, R9
	VPXORD Z3, Z3, Z3 // largest so far

group:
	VMOVDQU32 (SI), Z0
	VPTESTMD Z0, Z0, K1
	VPABSD Z0, Z1
	VPMAXUD Z1, Z3, Z3
	VPCOMPRESSD.Z Z0, K1, Z2
	VPMOVDB Z2, X2
	VMOVDQU X2, (R8)
	KMOVW K1, AX
	MOVW AX, (DI)
	POPCNTL AX, AX
	ADDQ AX, R8
	ADDQ $64, SI
	ADDQ $2, DI
	DECQ CX
	JNE  group

	VEXTRACTI64X4 $1, Z3, Y1
	VPMAXUD Y1, Y3, Y3
	VEXTRACTI128 $1, Y3, X1
	VPMAXUD X1, X3, X3
	VPSHUFD $0x4E, X3, X1
	VPMAXUD X1, X3, X3
	VPSHUFD $0xB1, X3, X1
	VPMAXUD X1, X3, X3
	VMOVD X3, AX
	MOVL AX, most+40(FP)
	SUBQ R9, R8
	MOVQ R8, n+32(FP)
	VZEROUPPER
	RET

// func addDenseAVX512(row *int32, totals *uint64, set, values *byte, groups int, sign int32)
TEXT ·addDenseAVX512(SB), NOSPLIT, $0-44
	MOVQ row+0(FP), DI
	MOVQ totals+8(FP), R9
	MOVQ set+16(FP), SI
	MOVQ values+24(FP), R8
	MOVQ groups+32(FP), CX
	MOVL sign+40(FP), AX
	VPBROADCASTD AX, Z5

group:
	MOVWLZX (SI), AX
	KMOVW AX, K1
	POPCNTL AX, DX
	MOVL $-1, R10
	BZHIL DX, R10, R10
	KMOVW R10, K2
	VPMOVSXBD.Z (R8), K2, Z0 // reads no more than the bytes of the mask
	VPEXPANDD.Z Z0, K1, Z0
	VPMULLD Z5, Z0, Z0
	VPADDD (DI), Z0, Z1
	VMOVDQU32 Z1, (DI)
	VPMOVSXDQ Y0, Z2
	VEXTRACTI64X4 $1, Z0, Y0
	VPMOVSXDQ Y0, Z3
	VPADDQ (R9), Z2, Z2
	VPADDQ 64(R9), Z3, Z3
	VMOVDQU64 Z2, (R9)
	VMOVDQU64 Z3, 64(R9)
	ADDQ DX, R8
	ADDQ $2, SI
	ADDQ $64, DI
	ADDQ $128, R9
	DECQ CX
	JNE  group
	VZEROUPPER
	RET
