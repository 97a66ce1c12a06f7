//go:build amd64 && !noasm

#include "textflag.h"

// func responsibilitiesAVX512(next, theta, phi, counts *float32, k, rows int)
//
// responsibilitiesAVX2 with a row's sixteen lanes in one register.
//
// DI next, SI theta, DX the current row of phi, R10, R11, R12 the three after it,
// CX counts, R8 4k (bytes of a row), R9 rows left, AX byte offset in the row.
TEXT ·responsibilitiesAVX512(SB), NOSPLIT, $0-48
	MOVQ next+0(FP), DI
	MOVQ theta+8(FP), SI
	MOVQ phi+16(FP), DX
	MOVQ counts+24(FP), CX
	MOVQ k+32(FP), R8
	MOVQ rows+40(FP), R9
	SHLQ $2, R8

four:
	CMPQ   R9, $4
	JLT    one
	LEAQ   (DX)(R8*1), R10
	LEAQ   (DX)(R8*2), R11
	LEAQ   (R10)(R8*2), R12
	VPXORD Z0, Z0, Z0
	VPXORD Z2, Z2, Z2
	VPXORD Z4, Z4, Z4
	VPXORD Z6, Z6, Z6
	XORQ   AX, AX

sum4:
	VMOVUPS (SI)(AX*1), Z8
	VMULPS  (DX)(AX*1), Z8, Z10
	VMULPS  (R10)(AX*1), Z8, Z11
	VMULPS  (R11)(AX*1), Z8, Z12
	VMULPS  (R12)(AX*1), Z8, Z13
	VADDPS  Z10, Z0, Z0
	VADDPS  Z11, Z2, Z2
	VADDPS  Z12, Z4, Z4
	VADDPS  Z13, Z6, Z6
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     sum4

	// Fold 16 lanes to 8, then to 4.
	VEXTRACTF64X4 $1, Z0, Y1
	VEXTRACTF64X4 $1, Z2, Y3
	VEXTRACTF64X4 $1, Z4, Y5
	VEXTRACTF64X4 $1, Z6, Y7
	VADDPS        Y1, Y0, Y0
	VADDPS        Y3, Y2, Y2
	VADDPS        Y5, Y4, Y4
	VADDPS        Y7, Y6, Y6
	VEXTRACTF128  $1, Y0, X1
	VEXTRACTF128  $1, Y2, X3
	VEXTRACTF128  $1, Y4, X5
	VEXTRACTF128  $1, Y6, X7
	VADDPS        X1, X0, X0
	VADDPS        X3, X2, X2
	VADDPS        X5, X4, X4
	VADDPS        X7, X6, X6

	// Transpose, so that each register holds one lane of the four rows, and
	// fold 4 lanes to 2 (l + 2), then to 1.
	VUNPCKLPS X2, X0, X8         // rows 0 and 1: lanes 0 0 1 1
	VUNPCKHPS X2, X0, X9         // rows 0 and 1: lanes 2 2 3 3
	VUNPCKLPS X6, X4, X10        // rows 2 and 3: lanes 0 0 1 1
	VUNPCKHPS X6, X4, X11        // rows 2 and 3: lanes 2 2 3 3
	VADDPS    X9, X8, X8         // rows 0 and 1: lanes 0+2 0+2 1+3 1+3
	VADDPS    X11, X10, X10      // rows 2 and 3
	VSHUFPS   $0x44, X10, X8, X0 // lane 0+2 of all rows
	VSHUFPS   $0xEE, X10, X8, X1 // lane 1+3 of all rows
	VADDPS    X1, X0, X0

	VMOVUPS      (CX), X1
	VDIVPS       X0, X1, X1
	VBROADCASTSS X1, Z4
	VPERMILPS    $0x55, X1, X2
	VBROADCASTSS X2, Z5
	VPERMILPS    $0xAA, X1, X2
	VBROADCASTSS X2, Z6
	VPERMILPS    $0xFF, X1, X2
	VBROADCASTSS X2, Z7
	XORQ         AX, AX

add4:
	VMOVUPS (DI)(AX*1), Z0
	VMULPS  (DX)(AX*1), Z4, Z8
	VMULPS  (R10)(AX*1), Z5, Z9
	VMULPS  (R11)(AX*1), Z6, Z10
	VMULPS  (R12)(AX*1), Z7, Z11
	VADDPS  Z8, Z0, Z0
	VADDPS  Z9, Z0, Z0
	VADDPS  Z10, Z0, Z0
	VADDPS  Z11, Z0, Z0
	VMOVUPS Z0, (DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     add4

	LEAQ (R12)(R8*1), DX
	ADDQ $16, CX
	SUBQ $4, R9
	JMP  four

one:
	TESTQ  R9, R9
	JZ     done
	VPXORD Z0, Z0, Z0
	XORQ   AX, AX

sum1:
	VMOVUPS (SI)(AX*1), Z2
	VMULPS  (DX)(AX*1), Z2, Z2
	VADDPS  Z2, Z0, Z0
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     sum1

	// Fold the lanes in halves: 8, 4, 2, 1.
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VMOVHLPS      X0, X0, X1
	VADDPS        X1, X0, X0
	VMOVSHDUP     X0, X1
	VADDSS        X1, X0, X0

	VMOVSS       (CX), X1
	VDIVSS       X0, X1, X1
	VBROADCASTSS X1, Z1
	XORQ         AX, AX

add1:
	VMULPS  (DX)(AX*1), Z1, Z2
	VADDPS  (DI)(AX*1), Z2, Z2
	VMOVUPS Z2, (DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     add1

	ADDQ R8, DX
	ADDQ $4, CX
	DECQ R9
	JMP  one

done:
	VZEROUPPER
	RET
