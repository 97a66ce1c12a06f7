//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

DATA one<>+0(SB)/4, $0x3f800000
GLOBL one<>(SB), RODATA|NOPTR, $4

// HALVE adds up the lanes of A and B into the first lane of A.
#define HALVE(A, AX_, B, BX_) \
	VADDPS       B, A, A \
	VEXTRACTF128 $1, A, BX_ \
	VADDPS       BX_, AX_, AX_ \
	VPSHUFD      $0x4e, AX_, BX_ \
	VADDPS       BX_, AX_, AX_ \
	VPSHUFD      $0xb1, AX_, BX_ \
	VADDSS       BX_, AX_, AX_

// LOAD sets the registers that both functions for words begin with: SI listed, R8 topics, R9 γ and R12 s of the word,
// BX sizes, R13 words left, R10 count of the word, DX its sum, DI held, R11 x, R14 was; X6 own, X7 mean, X9 keep,
// X10 Σ c_w/z_w, X14 one.
#define LOAD \
	MOVQ   l+0(FP), SI \
	MOVQ   listed_topics(SI), R8 \
	MOVQ   listed_s(SI), R12 \
	MOVQ   listed_gamma(SI), R9 \
	MOVQ   listed_sizes(SI), BX \
	MOVQ   listed_sizes+8(SI), R13 \
	MOVQ   listed_counts(SI), R10 \
	MOVQ   listed_sums(SI), DX \
	MOVQ   listed_held(SI), DI \
	MOVQ   listed_x(SI), R11 \
	MOVQ   listed_was(SI), R14 \
	VMOVSS listed_own(SI), X6 \
	VMOVSS listed_mean(SI), X7 \
	VMOVSS listed_keep(SI), X9 \
	VPXOR  X10, X10, X10 \
	VMOVSS one<>+0(SB), X14

// NORMALISE makes 1/z_w in X4 of the sum of weights in X3 and the count in X5, and adds the word to the sums.
#define NORMALISE \
	VMULSS X7, X6, X4 \
	VADDSS X3, X4, X4 \
	VDIVSS X4, X14, X4 \
	VMULSS X4, X5, X1 \
	VADDSS X1, X10, X10 \
	VMULSS X4, X3, X3 \
	VSUBSS (DX), X3, X1 \
	VMOVSS X3, (DX) \
	VMULSS X5, X1, X1 \
	VMULSS X9, X1, X1 \
	VADDSS X1, X6, X6

// NEXT goes to the next word.
#define NEXT \
	LEAQ (R8)(CX*4), R8 \
	LEAQ (R9)(CX*4), R9 \
	LEAQ (R12)(CX*4), R12 \
	ADDQ $8, BX \
	ADDQ $4, R10 \
	ADDQ $4, DX \
	DECQ R13 \
	JNE  word

// func wordsAVX512(l *listed)
//
// CX entries of the word, AX entry, Z3 lanes and then 1/z_w, Z5 count, Z8 lanes of what moved, Z13 zero, Z15 a mask that
// takes signs away.
TEXT ·wordsAVX512(SB), NOSPLIT, $0-8
	LOAD
	VPXORD     Z8, Z8, Z8
	VPXORD     Z13, Z13, Z13
	VPTERNLOGD $0xff, Z15, Z15, Z15
	VPSRLD     $1, Z15, Z15

word:
	MOVQ   (BX), CX
	VPXORD Z3, Z3, Z3
	XORQ   AX, AX
	CMPQ   AX, CX
	JGE    weighed

weigh:
	VMOVDQU32  (R8)(AX*4), Z1
	KXNORW     K1, K1, K1
	VPXORD     Z0, Z0, Z0
	VGATHERDPS (DI)(Z1*4), K1, Z0
	VMOVUPS    Z0, (R14)(AX*4)
	VSUBPS     (R9)(AX*4), Z0, Z0
	VMAXPS     Z0, Z13, Z0
	VMULPS     (R12)(AX*4), Z0, Z0
	VMOVUPS    Z0, (R11)(AX*4)
	VADDPS     Z0, Z3, Z3
	ADDQ       $16, AX
	CMPQ       AX, CX
	JLT        weigh

weighed:
	VEXTRACTF64X4 $1, Z3, Y4
	HALVE(Y3, X3, Y4, X4)
	VBROADCASTSS  (R10), Z5
	NORMALISE
	VBROADCASTSS  X4, Z3
	XORQ          AX, AX
	CMPQ          AX, CX
	JGE           moved

move:
	VMOVDQU32   (R8)(AX*4), Z4
	VMULPS      (R11)(AX*4), Z3, Z0
	VSUBPS      (R9)(AX*4), Z0, Z1
	VMOVUPS     Z0, (R9)(AX*4)
	VMULPS      Z5, Z1, Z1
	VADDPS      (R14)(AX*4), Z1, Z2
	KXNORW      K1, K1, K1
	VSCATTERDPS Z2, K1, (DI)(Z4*4)
	VPANDD      Z15, Z1, Z1
	VADDPS      Z1, Z8, Z8
	ADDQ        $16, AX
	CMPQ        AX, CX
	JLT         move

moved:
	NEXT

	VEXTRACTF64X4 $1, Z8, Y4
	HALVE(Y8, X8, Y4, X4)
	VMOVSS        X8, listed_moved(SI)
	VMOVSS        X6, listed_own(SI)
	VMOVSS        X10, listed_scale(SI)
	VZEROUPPER
	RET

// WEIGH computes x of the eight entries at byte B of the sixteen at AX, and adds them to SUM.
#define WEIGH(B, SUM) \
	VMOVDQU    B(R8)(AX*4), Y1 \
	VPCMPEQD   Y2, Y2, Y2 \
	VGATHERDPS Y2, (DI)(Y1*4), Y0 \
	VMOVUPS    Y0, B(R14)(AX*4) \
	VSUBPS     B(R9)(AX*4), Y0, Y0 \
	VMAXPS     Y0, Y13, Y0 \
	VMULPS     B(R12)(AX*4), Y0, Y0 \
	VMOVUPS    Y0, B(R11)(AX*4) \
	VADDPS     Y0, SUM, SUM

// PUT copies what was has for the entry at byte B to its slot.
#define PUT(B) \
	MOVL B(R8)(AX*4), SI \
	MOVL B(R14)(AX*4), R15 \
	MOVL R15, (DI)(SI*4)

// MOVE stores the new γ of the eight entries at byte B of the sixteen at AX, adds c_w times its change to held, and the
// size of that to MOVED.
#define MOVE(B, MOVED) \
	VMULPS  B(R11)(AX*4), Y3, Y0 \
	VSUBPS  B(R9)(AX*4), Y0, Y1 \
	VMOVUPS Y0, B(R9)(AX*4) \
	VMULPS  Y5, Y1, Y1 \
	VADDPS  B(R14)(AX*4), Y1, Y2 \
	VMOVUPS Y2, B(R14)(AX*4) \
	VANDPS  Y15, Y1, Y1 \
	VADDPS  Y1, MOVED, MOVED \
	PUT(B+0) \
	PUT(B+4) \
	PUT(B+8) \
	PUT(B+12) \
	PUT(B+16) \
	PUT(B+20) \
	PUT(B+24) \
	PUT(B+28)

// func wordsAVX2(l *listed)
//
// Registers are those of wordsAVX512. Sixteen lanes are in two: Y3 and Y4, Y8 and Y11. SI and R15 are scratch.
TEXT ·wordsAVX2(SB), NOSPLIT, $0-8
	LOAD
	VPXOR    Y8, Y8, Y8
	VPXOR    Y11, Y11, Y11
	VPXOR    Y13, Y13, Y13
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $1, Y15, Y15

word:
	MOVQ  (BX), CX
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	XORQ  AX, AX
	CMPQ  AX, CX
	JGE   weighed

weigh:
	WEIGH(0, Y3)
	WEIGH(32, Y4)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  weigh

weighed:
	HALVE(Y3, X3, Y4, X4)
	VBROADCASTSS (R10), Y5
	NORMALISE
	VBROADCASTSS X4, Y3
	XORQ         AX, AX
	CMPQ         AX, CX
	JGE          moved

move:
	MOVE(0, Y8)
	MOVE(32, Y11)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  move

moved:
	NEXT

	MOVQ   l+0(FP), SI
	HALVE(Y8, X8, Y11, X11)
	VMOVSS X8, listed_moved(SI)
	VMOVSS X6, listed_own(SI)
	VMOVSS X10, listed_scale(SI)
	VZEROUPPER
	RET

// SLOTS sets the registers that both functions for slots begin with: SI listed, DI held, R8 rest, R9 α, R12 b, CX slots,
// AX slot.
#define SLOTS \
	MOVQ l+0(FP), SI \
	MOVQ listed_held(SI), DI \
	MOVQ listed_rest(SI), R8 \
	MOVQ listed_alpha(SI), R9 \
	MOVQ listed_b(SI), R12 \
	MOVQ listed_b+8(SI), CX \
	XORQ AX, AX

// SPREAD computes the rest of the slots from byte B of the sixteen at AX, as many as a register has. Registers: V5 keep,
// V6 scale, V13 zero, V15 a mask that takes signs away.
#define SPREAD(B, V0, V1, V2, V3, V4, V5, V6, V13, V15, AND, MOVED, OWN, WEIGHT) \
	VMOVUPS B(DI)(AX*4), V0 \
	VMOVUPS B(R9)(AX*4), V1 \
	VMOVUPS B(R12)(AX*4), V2 \
	VSUBPS  V1, V0, V3 \
	VMAXPS  V3, V13, V3 \
	VMULPS  V5, V3, V3 \
	VADDPS  V1, V3, V3 \
	VMULPS  V2, V3, V3 \
	VMULPS  V6, V3, V3 \
	VSUBPS  B(R8)(AX*4), V3, V4 \
	VMOVUPS V3, B(R8)(AX*4) \
	VADDPS  V4, V0, V0 \
	VMOVUPS V0, B(DI)(AX*4) \
	AND     V15, V4, V4 \
	VADDPS  V4, MOVED, MOVED \
	VSUBPS  V1, V0, V0 \
	VMAXPS  V0, V13, V0 \
	VMULPS  V5, V0, V0 \
	VADDPS  V1, V0, V0 \
	VADDPS  V0, OWN, OWN \
	VMULPS  V2, V0, V0 \
	VADDPS  V0, WEIGHT, WEIGHT

// DONE stores sums of Y8 and Y11 (moved), Y9 and Y12 (own), Y10 and Y14 (weights).
#define DONE \
	HALVE(Y9, X9, Y12, X12) \
	VMOVSS X9, listed_own(SI) \
	HALVE(Y10, X10, Y14, X14) \
	VDIVSS X9, X10, X10 \
	VMOVSS X10, listed_mean(SI) \
	HALVE(Y8, X8, Y11, X11) \
	VADDSS listed_moved(SI), X8, X8 \
	VMOVSS X8, listed_moved(SI) \
	VZEROUPPER

// func spreadAVX512(l *listed)
TEXT ·spreadAVX512(SB), NOSPLIT, $0-8
	SLOTS
	VBROADCASTSS listed_keep(SI), Z5
	VBROADCASTSS listed_scale(SI), Z6
	VPXORD       Z8, Z8, Z8
	VPXORD       Z9, Z9, Z9
	VPXORD       Z10, Z10, Z10
	VPXORD       Z13, Z13, Z13
	VPTERNLOGD   $0xff, Z15, Z15, Z15
	VPSRLD       $1, Z15, Z15

slots:
	SPREAD(0, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z13, Z15, VPANDD, Z8, Z9, Z10)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  slots

	VEXTRACTF64X4 $1, Z8, Y11
	VEXTRACTF64X4 $1, Z9, Y12
	VEXTRACTF64X4 $1, Z10, Y14
	DONE
	RET

// func spreadAVX2(l *listed)
TEXT ·spreadAVX2(SB), NOSPLIT, $0-8
	SLOTS
	VBROADCASTSS listed_keep(SI), Y5
	VBROADCASTSS listed_scale(SI), Y6
	VPXOR        Y8, Y8, Y8
	VPXOR        Y9, Y9, Y9
	VPXOR        Y10, Y10, Y10
	VPXOR        Y11, Y11, Y11
	VPXOR        Y12, Y12, Y12
	VPXOR        Y14, Y14, Y14
	VPXOR        Y13, Y13, Y13
	VPCMPEQD     Y15, Y15, Y15
	VPSRLD       $1, Y15, Y15

slots:
	SPREAD(0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y13, Y15, VANDPS, Y8, Y9, Y10)
	SPREAD(32, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y13, Y15, VANDPS, Y11, Y12, Y14)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT  slots
	DONE
	RET
