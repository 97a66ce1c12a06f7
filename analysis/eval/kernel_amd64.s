//go:build amd64 && !noasm

#include "textflag.h"

// func responsibilitiesAVX2(next, theta, phi, counts *float32, k, rows int)
//
// Four rows at a time, so that theta and next are loaded once for all four, then
// the rest one by one. The additions keep the order of responsibilitiesGo.
//
// DI next, SI theta, DX the current row of phi, R10, R11, R12 the three after it,
// CX counts, R8 4k (bytes of a row), R9 rows left, AX byte offset in the row.
// A row's lanes 0 … 7 are in one register and its lanes 8 … 15 in the next.
TEXT ·responsibilitiesAVX2(SB), NOSPLIT, $0-48
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
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ   AX, AX

sum4:
	VMOVUPS (SI)(AX*1), Y8
	VMOVUPS 32(SI)(AX*1), Y9
	VMULPS  (DX)(AX*1), Y8, Y10
	VMULPS  32(DX)(AX*1), Y9, Y11
	VMULPS  (R10)(AX*1), Y8, Y12
	VMULPS  32(R10)(AX*1), Y9, Y13
	VADDPS  Y10, Y0, Y0
	VADDPS  Y11, Y1, Y1
	VADDPS  Y12, Y2, Y2
	VADDPS  Y13, Y3, Y3
	VMULPS  (R11)(AX*1), Y8, Y10
	VMULPS  32(R11)(AX*1), Y9, Y11
	VMULPS  (R12)(AX*1), Y8, Y12
	VMULPS  32(R12)(AX*1), Y9, Y13
	VADDPS  Y10, Y4, Y4
	VADDPS  Y11, Y5, Y5
	VADDPS  Y12, Y6, Y6
	VADDPS  Y13, Y7, Y7
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     sum4

	// Fold 16 lanes to 8, then to 4.
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y5, Y4, Y4
	VADDPS       Y7, Y6, Y6
	VEXTRACTF128 $1, Y0, X1
	VEXTRACTF128 $1, Y2, X3
	VEXTRACTF128 $1, Y4, X5
	VEXTRACTF128 $1, Y6, X7
	VADDPS       X1, X0, X0
	VADDPS       X3, X2, X2
	VADDPS       X5, X4, X4
	VADDPS       X7, X6, X6

	// Transpose, so that each register holds one lane of the four rows, and
	// fold 4 lanes to 2 (l + 2), then to 1.
	VUNPCKLPS X2, X0, X8      // rows 0 and 1: lanes 0 0 1 1
	VUNPCKHPS X2, X0, X9      // rows 0 and 1: lanes 2 2 3 3
	VUNPCKLPS X6, X4, X10     // rows 2 and 3: lanes 0 0 1 1
	VUNPCKHPS X6, X4, X11     // rows 2 and 3: lanes 2 2 3 3
	VADDPS    X9, X8, X8      // rows 0 and 1: lanes 0+2 0+2 1+3 1+3
	VADDPS    X11, X10, X10   // rows 2 and 3
	VSHUFPS   $0x44, X10, X8, X0 // lane 0+2 of all rows
	VSHUFPS   $0xEE, X10, X8, X1 // lane 1+3 of all rows
	VADDPS    X1, X0, X0

	VMOVUPS      (CX), X1
	VDIVPS       X0, X1, X1
	VBROADCASTSS X1, Y4
	VPERMILPS    $0x55, X1, X2
	VBROADCASTSS X2, Y5
	VPERMILPS    $0xAA, X1, X2
	VBROADCASTSS X2, Y6
	VPERMILPS    $0xFF, X1, X2
	VBROADCASTSS X2, Y7
	XORQ         AX, AX

add4:
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS 32(DI)(AX*1), Y1
	VMULPS  (DX)(AX*1), Y4, Y8
	VMULPS  32(DX)(AX*1), Y4, Y9
	VMULPS  (R10)(AX*1), Y5, Y10
	VMULPS  32(R10)(AX*1), Y5, Y11
	VADDPS  Y8, Y0, Y0
	VADDPS  Y9, Y1, Y1
	VMULPS  (R11)(AX*1), Y6, Y8
	VMULPS  32(R11)(AX*1), Y6, Y9
	VADDPS  Y10, Y0, Y0
	VADDPS  Y11, Y1, Y1
	VMULPS  (R12)(AX*1), Y7, Y10
	VMULPS  32(R12)(AX*1), Y7, Y11
	VADDPS  Y8, Y0, Y0
	VADDPS  Y9, Y1, Y1
	VADDPS  Y10, Y0, Y0
	VADDPS  Y11, Y1, Y1
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
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
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

sum1:
	VMOVUPS (SI)(AX*1), Y2
	VMOVUPS 32(SI)(AX*1), Y3
	VMULPS  (DX)(AX*1), Y2, Y2
	VMULPS  32(DX)(AX*1), Y3, Y3
	VADDPS  Y2, Y0, Y0
	VADDPS  Y3, Y1, Y1
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     sum1

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

add1:
	VMULPS  (DX)(AX*1), Y1, Y2
	VMULPS  32(DX)(AX*1), Y1, Y3
	VADDPS  (DI)(AX*1), Y2, Y2
	VADDPS  32(DI)(AX*1), Y3, Y3
	VMOVUPS Y2, (DI)(AX*1)
	VMOVUPS Y3, 32(DI)(AX*1)
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

// func reestimateAVX2(theta, next, alpha *float32, k int)
TEXT ·reestimateAVX2(SB), NOSPLIT, $0-32
	MOVQ theta+0(FP), DI
	MOVQ next+8(FP), SI
	MOVQ alpha+16(FP), DX
	MOVQ k+24(FP), R8
	SHLQ $2, R8
	XORQ AX, AX

each:
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS 32(DI)(AX*1), Y1
	VMULPS  (SI)(AX*1), Y0, Y0
	VMULPS  32(SI)(AX*1), Y1, Y1
	VADDPS  (DX)(AX*1), Y0, Y0
	VADDPS  32(DX)(AX*1), Y1, Y1
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     each
	VZEROUPPER
	RET

// func dotAVX2(a, b *float32, k int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DX
	MOVQ   k+16(FP), R8
	SHLQ   $2, R8
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
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET

// func reduceAVX2(row, theta, background, inverse *float32, k int, factor float32)
TEXT ·reduceAVX2(SB), NOSPLIT, $0-44
	MOVQ         row+0(FP), DI
	MOVQ         theta+8(FP), SI
	MOVQ         background+16(FP), DX
	MOVQ         inverse+24(FP), CX
	MOVQ         k+32(FP), R8
	VBROADCASTSS factor+40(FP), Y4
	SHLQ         $2, R8
	XORQ         AX, AX

take:
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS 32(DI)(AX*1), Y1
	VMULPS  (SI)(AX*1), Y4, Y2
	VMULPS  32(SI)(AX*1), Y4, Y3
	VMULPS  Y0, Y2, Y2
	VMULPS  Y1, Y3, Y3
	VMULPS  (CX)(AX*1), Y2, Y2
	VMULPS  32(CX)(AX*1), Y3, Y3
	VSUBPS  Y2, Y0, Y0
	VSUBPS  Y3, Y1, Y1
	VMOVUPS (DX)(AX*1), Y2
	VMOVUPS 32(DX)(AX*1), Y3
	VMAXPS  Y0, Y2, Y0 // what is no number stays none
	VMAXPS  Y1, Y3, Y1
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, R8
	JLT     take
	VZEROUPPER
	RET
