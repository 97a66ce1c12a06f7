//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

DATA one<>+0(SB)/4, $0x3f800000
GLOBL one<>(SB), RODATA|NOPTR, $4

// WEIGH computes x of the eight slots at byte B of the sixteen at AX, and adds them to SUM.
#define WEIGH(B, SUM) \
	VMOVUPS B(DI)(AX*4), Y0 \
	VSUBPS  B(R9)(AX*4), Y0, Y0 \
	VMAXPS  Y0, Y13, Y0 \
	VADDPS  B(DX)(AX*4), Y0, Y0 \
	VMULPS  B(R8)(AX*4), Y0, Y0 \
	VMOVUPS Y0, B(R11)(AX*4) \
	VADDPS  Y0, SUM, SUM

// MOVE stores the new γ of the eight slots at byte B, adds c_w times its change to n,
// and the size of that to MOVED.
#define MOVE(B, MOVED) \
	VMULPS  B(R11)(AX*4), Y3, Y0 \
	VSUBPS  B(R9)(AX*4), Y0, Y1 \
	VMOVUPS Y0, B(R9)(AX*4) \
	VMULPS  Y5, Y1, Y1 \
	VADDPS  B(DI)(AX*4), Y1, Y2 \
	VMOVUPS Y2, B(DI)(AX*4) \
	VANDPS  Y15, Y1, Y1 \
	VADDPS  Y1, MOVED, MOVED

// HALVE adds up the lanes of A and B into the first lane of A.
#define HALVE(A, AX_, B, BX_) \
	VADDPS       B, A, A \
	VEXTRACTF128 $1, A, BX_ \
	VADDPS       BX_, AX_, AX_ \
	VPSHUFD      $0x4e, AX_, BX_ \
	VADDPS       BX_, AX_, AX_ \
	VPSHUFD      $0xb1, AX_, BX_ \
	VADDSS       BX_, AX_, AX_

// LOAD sets the registers that both functions begin with: SI shares, CX slots, R10 count of
// the word, R13 words left, R12 rows, BX where the word's begins, R9 its γ, DX α, DI n, R11 x.
#define LOAD \
	MOVQ   s+0(FP), SI \
	MOVQ   shares_width(SI), CX \
	MOVQ   shares_counts(SI), R10 \
	MOVQ   shares_counts+8(SI), R13 \
	MOVQ   shares_rows(SI), R12 \
	MOVQ   shares_rowAt(SI), BX \
	MOVQ   shares_gamma(SI), R9 \
	MOVQ   shares_alpha(SI), DX \
	MOVQ   shares_n(SI), DI \
	MOVQ   shares_x(SI), R11 \
	VMOVSS one<>+0(SB), X14

// NEXT goes to the next word.
#define NEXT \
	ADDQ $8, BX \
	LEAQ (R9)(CX*4), R9 \
	ADDQ $4, R10 \
	DECQ R13 \
	JNE  word

// func roundAVX2(s *shares)
//
// R8 φ of the word, AX slot, Y3 and Y4 lanes and then 1/Σx, Y5 count, Y8 and Y9 lanes of
// what moved, Y13 zero, X14 one, Y15 a mask that takes signs away.
TEXT ·roundAVX2(SB), NOSPLIT, $0-8
	LOAD
	VPXOR    Y8, Y8, Y8
	VPXOR    Y9, Y9, Y9
	VPXOR    Y13, Y13, Y13
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $1, Y15, Y15

word:
	MOVQ  (BX), R8
	LEAQ  (R12)(R8*4), R8
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	XORQ  AX, AX

weigh:
	WEIGH(0, Y3)
	WEIGH(32, Y4)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  weigh

	HALVE(Y3, X3, Y4, X4)
	VDIVSS       X3, X14, X3
	VBROADCASTSS X3, Y3
	VBROADCASTSS (R10), Y5
	XORQ         AX, AX

move:
	MOVE(0, Y8)
	MOVE(32, Y9)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  move
	NEXT

	HALVE(Y8, X8, Y9, X9)
	VMOVSS X8, shares_moved(SI)
	VZEROUPPER
	RET

// func roundAVX512(s *shares)
//
// Registers are those of roundAVX2, sixteen lanes in one.
TEXT ·roundAVX512(SB), NOSPLIT, $0-8
	LOAD
	VPXORD     Z8, Z8, Z8
	VPXORD     Z13, Z13, Z13
	VPTERNLOGD $0xff, Z15, Z15, Z15
	VPSRLD     $1, Z15, Z15

word:
	MOVQ   (BX), R8
	LEAQ   (R12)(R8*4), R8
	VPXORD Z3, Z3, Z3
	XORQ   AX, AX

weigh:
	VMOVUPS (DI)(AX*4), Z0
	VSUBPS  (R9)(AX*4), Z0, Z0
	VMAXPS  Z0, Z13, Z0
	VADDPS  (DX)(AX*4), Z0, Z0
	VMULPS  (R8)(AX*4), Z0, Z0
	VMOVUPS Z0, (R11)(AX*4)
	VADDPS  Z0, Z3, Z3
	ADDQ    $16, AX
	CMPQ    AX, CX
	JLT     weigh

	VEXTRACTF64X4 $1, Z3, Y4
	HALVE(Y3, X3, Y4, X4)
	VDIVSS        X3, X14, X3
	VBROADCASTSS  X3, Z3
	VBROADCASTSS  (R10), Z5
	XORQ          AX, AX

move:
	VMULPS  (R11)(AX*4), Z3, Z0
	VSUBPS  (R9)(AX*4), Z0, Z1
	VMOVUPS Z0, (R9)(AX*4)
	VMULPS  Z5, Z1, Z1
	VADDPS  (DI)(AX*4), Z1, Z2
	VMOVUPS Z2, (DI)(AX*4)
	VPANDD  Z15, Z1, Z1
	VADDPS  Z1, Z8, Z8
	ADDQ    $16, AX
	CMPQ    AX, CX
	JLT     move
	NEXT

	VEXTRACTF64X4 $1, Z8, Y9
	HALVE(Y8, X8, Y9, X9)
	VMOVSS X8, shares_moved(SI)
	VZEROUPPER
	RET
