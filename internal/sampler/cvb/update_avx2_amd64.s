//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// The constants of share.go, each eight times: the float32 32 (offset),
// codeBase, roundHalf, a mask of the bits that are kept, and one of a byte; then
// the float32 8032 (One).
#define EIGHT(at, value) \
	DATA wide<>+(at+0)(SB)/4, value  \
	DATA wide<>+(at+4)(SB)/4, value  \
	DATA wide<>+(at+8)(SB)/4, value  \
	DATA wide<>+(at+12)(SB)/4, value \
	DATA wide<>+(at+16)(SB)/4, value \
	DATA wide<>+(at+20)(SB)/4, value \
	DATA wide<>+(at+24)(SB)/4, value \
	DATA wide<>+(at+28)(SB)/4, value

EIGHT(0, $0x42000000)
EIGHT(32, $const_codeBase)
EIGHT(64, $const_roundHalf)
EIGHT(96, $0xfffc0000)
EIGHT(128, $0xff)
DATA wide<>+160(SB)/4, $0x45fb0000
GLOBL wide<>(SB), RODATA|NOPTR, $164

// WEIGH computes x of the eight topics at byte B of the sixteen at R15, and adds
// them to SUM.
#define WEIGH(B, SUM) \
	VPMOVSXBD (B/4)(R10)(R15*1), Y0 \
	VPSLLD    $const_dropped, Y0, Y0 \
	VPADDD    Y14, Y0, Y0 \
	VCVTDQ2PS B(AX)(R15*4), Y1 \
	VCVTDQ2PS B(R14)(R15*4), Y2 \
	VMOVUPS   Y0, B(BX)(R15*4) \
	VSUBPS    Y0, Y1, Y1 \
	VSUBPS    Y0, Y2, Y2 \
	VADDPS    B(CX)(R15*4), Y1, Y1 \
	VADDPS    Y15, Y2, Y2 \
	VMULPS    Y2, Y1, Y1 \
	VMULPS    B(DX)(R15*4), Y1, Y1 \
	VMOVUPS   Y1, B(DI)(R15*4) \
	VADDPS    Y1, SUM, SUM

// ENCODE computes the new t of the eight topics at byte B, leaves its byte in
// CODE, and adds the change, times the count, to both rows.
#define ENCODE(B, CODE) \
	VMULPS     B(DI)(R15*4), Y3, Y0 \
	VADDPS     Y13, Y0, Y0 \
	VPADDD     Y12, Y0, Y0 \
	VPSRLD     $const_dropped, Y0, CODE \
	VPAND      Y10, CODE, CODE \
	VPAND      Y11, Y0, Y0 \
	VSUBPS     B(BX)(R15*4), Y0, Y0 \
	VCVTTPS2DQ Y0, Y0 \
	VPMULLD    Y9, Y0, Y0 \
	VPADDD     B(AX)(R15*4), Y0, Y1 \
	VPADDD     B(R14)(R15*4), Y0, Y2 \
	VMOVDQU    Y1, B(AX)(R15*4) \
	VMOVDQU    Y2, B(R14)(R15*4)

// func updateAVX2(t *tile)
//
// Registers are those of updateAVX512, with Y15 beta, Y14 codeBase, Y13 offset,
// Y12 roundHalf, Y11 mask, Y10 mask of a byte, Y9 count, X8 One.
TEXT ·updateAVX2(SB), NOSPLIT, $8-8
	MOVQ         t+0(FP), SI
	MOVQ         tile_pairs(SI), R8
	MOVQ         tile_pairs+8(SI), R9
	MOVQ         tile_gamma(SI), R10
	MOVQ         tile_docs(SI), R11
	MOVQ         tile_words(SI), R12
	MOVQ         tile_kpad(SI), R13
	MOVQ         tile_weights(SI), DI
	MOVQ         tile_old(SI), BX
	MOVQ         tile_alpha(SI), CX
	MOVQ         tile_inv(SI), DX
	VBROADCASTSS tile_beta(SI), Y15
	VMOVDQU      wide<>+0(SB), Y13
	VMOVDQU      wide<>+32(SB), Y14
	VMOVDQU      wide<>+64(SB), Y12
	VMOVDQU      wide<>+96(SB), Y11
	VMOVDQU      wide<>+128(SB), Y10
	VMOVSS       wide<>+160(SB), X8
	TESTQ        R9, R9
	JEQ          done

pair:
	MOVL         pair_doc(R8), AX
	IMULQ        R13, AX
	LEAQ         (R11)(AX*4), AX
	MOVL         pair_word(R8), R14
	IMULQ        R13, R14
	LEAQ         (R12)(R14*4), R14
	VPBROADCASTD pair_count(R8), Y9
	VPXOR        Y3, Y3, Y3
	VPXOR        Y4, Y4, Y4
	XORQ         R15, R15

	// The rows that will be wanted three pairs on, or this pair's near the end.
	LEAQ    (3*pair__size)(R8), BP
	CMPQ    R9, $3
	CMOVQLE R8, BP
	MOVL    pair_word(BP), SI
	IMULQ   R13, SI
	LEAQ    (R12)(SI*4), SI
	MOVL    pair_doc(BP), BP
	IMULQ   R13, BP
	LEAQ    (R11)(BP*4), BP

weigh:
	PREFETCHT0 (SI)(R15*4)
	PREFETCHT0 (BP)(R15*4)
	WEIGH(0, Y3)
	WEIGH(32, Y4)
	ADDQ $16, R15
	CMPQ R15, R13
	JLT  weigh

	VADDPS       Y4, Y3, Y3
	VEXTRACTF128 $1, Y3, X4
	VADDPS       X4, X3, X3
	VPSHUFD      $0x4e, X3, X4
	VADDPS       X4, X3, X3
	VPSHUFD      $0xb1, X3, X4
	VADDSS       X4, X3, X3
	VDIVSS       X3, X8, X3
	VBROADCASTSS X3, Y3
	XORQ         R15, R15

encode:
	ENCODE(0, Y4)
	ENCODE(32, Y5)
	VPACKUSDW    Y5, Y4, Y4      // topics 0–3, 8–11, 4–7, 12–15
	VPERMQ       $0xd8, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPACKUSWB    X5, X4, X4
	VMOVDQU      X4, (R10)(R15*1)
	ADDQ         $16, R15
	CMPQ         R15, R13
	JLT          encode

	ADDQ R13, R10
	ADDQ $pair__size, R8
	DECQ R9
	JNE  pair

done:
	VZEROUPPER
	RET

// func sumRowsAVX2(sums *int64, rows *int32, n, kpad int)
//
// Eight topics at a time; registers are those of sumRowsAVX512.
TEXT ·sumRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ kpad+24(FP), DX
	XORQ R8, R8

topics:
	LEAQ  (SI)(R8*4), R9
	MOVQ  CX, R10
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

row:
	VPMOVSXDQ (R9), Y2
	VPMOVSXDQ 16(R9), Y3
	VPADDQ    Y2, Y0, Y0
	VPADDQ    Y3, Y1, Y1
	LEAQ      (R9)(DX*4), R9
	DECQ      R10
	JNE       row
	VMOVDQU   Y0, (DI)(R8*8)
	VMOVDQU   Y1, 32(DI)(R8*8)
	ADDQ      $8, R8
	CMPQ      R8, DX
	JLT       topics
	VZEROUPPER
	RET

// func laneSumsAVX2(sums *[lanes]int32, gamma *uint8, n int)
//
// See laneSumsAVX512.
TEXT ·laneSumsAVX2(SB), NOSPLIT, $0-24
	MOVQ    sums+0(FP), DI
	MOVQ    gamma+8(FP), SI
	MOVQ    n+16(FP), CX
	VMOVDQU wide<>+32(SB), Y14
	VPXOR   Y3, Y3, Y3
	VPXOR   Y4, Y4, Y4
	LEAL    (CX)(CX*1), AX
	XORQ    R8, R8

lane:
	VPMOVSXBD (SI)(R8*1), Y0
	VPMOVSXBD 8(SI)(R8*1), Y1
	VPSLLD    $const_dropped, Y0, Y0
	VPSLLD    $const_dropped, Y1, Y1
	VPADDD    Y14, Y0, Y0
	VPADDD    Y14, Y1, Y1
	VADDPS    Y0, Y3, Y3
	VADDPS    Y1, Y4, Y4
	ADDQ      $16, R8
	CMPQ      R8, CX
	JLT       lane

	VMOVD        AX, X1
	VPBROADCASTD X1, Y1
	VCVTTPS2DQ   Y3, Y3
	VCVTTPS2DQ   Y4, Y4
	VPSUBD       Y1, Y3, Y3
	VPSUBD       Y1, Y4, Y4
	VMOVDQU      Y3, (DI)
	VMOVDQU      Y4, 32(DI)
	VZEROUPPER
	RET
