//go:build amd64 && !noasm

#include "textflag.h"

// func responsibilitiesAVX2(next, theta, phi, counts *float32, k, rows int)
//
// Registers: DI next, SI theta, DX the current row of phi, CX counts,
// R8 4k (bytes of a row), R9 rows left, AX byte offset in the row.
// Y0 holds lanes 0 … 7, Y1 lanes 8 … 15.
TEXT ·responsibilitiesAVX2(SB), NOSPLIT, $0-48
	MOVQ next+0(FP), DI
	MOVQ theta+8(FP), SI
	MOVQ phi+16(FP), DX
	MOVQ counts+24(FP), CX
	MOVQ k+32(FP), R8
	MOVQ rows+40(FP), R9
	SHLQ $2, R8

row:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

sum:
	VMOVUPS (SI)(AX*1), Y2
	VMOVUPS 32(SI)(AX*1), Y3
	VMULPS  (DX)(AX*1), Y2, Y2
	VMULPS  32(DX)(AX*1), Y3, Y3
	VADDPS  Y2, Y0, Y0
	VADDPS  Y3, Y1, Y1
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     sum

	// Fold the lanes in halves: 8, 4, 2, 1.
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0

	VMOVSS       (CX), X1
	VDIVSS       X0, X1, X1
	VBROADCASTSS X1, Y1
	XORQ         AX, AX

add:
	VMULPS  (DX)(AX*1), Y1, Y2
	VMULPS  32(DX)(AX*1), Y1, Y3
	VADDPS  (DI)(AX*1), Y2, Y2
	VADDPS  32(DI)(AX*1), Y3, Y3
	VMOVUPS Y2, (DI)(AX*1)
	VMOVUPS Y3, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     add

	ADDQ R8, DX
	ADDQ $4, CX
	DECQ R9
	JNZ  row

	VZEROUPPER
	RET
