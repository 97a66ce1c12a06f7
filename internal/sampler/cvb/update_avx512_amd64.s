//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// The constants of share.go: the float32 8032 (One) and 32 (offset), codeBase,
// roundHalf, and a mask of the bits that are kept.
DATA constants<>+0(SB)/4, $0x45fb0000
DATA constants<>+4(SB)/4, $0x42000000
DATA constants<>+8(SB)/4, $const_codeBase
DATA constants<>+12(SB)/4, $const_roundHalf
DATA constants<>+16(SB)/4, $0xfffc0000
GLOBL constants<>(SB), RODATA|NOPTR, $20

// ENCODE makes Z0 of the topics at R15 the new t less the old one, and stores the
// byte of t.
#define ENCODE \
	VMULPS     (DI)(R15*4), Z3, Z0 \
	VADDPS     Z29, Z0, Z0 \
	VPADDD     Z28, Z0, Z0 \
	VPSRLD     $const_dropped, Z0, Z1 \
	VPMOVDB    Z1, (R10)(R15*1) \
	VPANDD     Z27, Z0, Z0 \
	VSUBPS     (BX)(R15*4), Z0, Z0

// MOVE adds Z0 to the rows of the document and the word.
#define MOVE \
	VPADDD    (AX)(R15*4), Z0, Z1 \
	VPADDD    (R14)(R15*4), Z0, Z2 \
	VMOVDQU32 Z1, (AX)(R15*4) \
	VMOVDQU32 Z2, (R14)(R15*4)

// func updateAVX512(t *tile)
//
// Through all: R8 pair, R9 pairs left, R10 its γ, R11 docs, R12 words, R13 kpad,
// DI weights, BX old, CX alpha, DX inv, Z31 beta, Z30 codeBase, Z29 offset,
// Z28 roundHalf, Z27 mask, X26 One. For a pair: AX row of the document, R14 of
// the word, R15 topic, Z3 lanes and then One/Σx, Z4 count; BP and SI rows to come.
TEXT ·updateAVX512(SB), NOSPLIT, $8-8
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
	VBROADCASTSS tile_beta(SI), Z31
	VMOVSS       constants<>+0(SB), X26
	VBROADCASTSS constants<>+4(SB), Z29
	VPBROADCASTD constants<>+8(SB), Z30
	VPBROADCASTD constants<>+12(SB), Z28
	VPBROADCASTD constants<>+16(SB), Z27
	TESTQ        R9, R9
	JEQ          done

pair:
	MOVL   pair_doc(R8), AX
	IMULQ  R13, AX
	LEAQ   (R11)(AX*4), AX
	MOVL   pair_word(R8), R14
	IMULQ  R13, R14
	LEAQ   (R12)(R14*4), R14
	VPXORD Z3, Z3, Z3
	XORQ   R15, R15

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
	VPMOVSXBD (R10)(R15*1), Z0
	VPSLLD    $const_dropped, Z0, Z0
	VPADDD    Z30, Z0, Z0
	VCVTDQ2PS (AX)(R15*4), Z1
	VCVTDQ2PS (R14)(R15*4), Z2
	VMOVUPS   Z0, (BX)(R15*4)
	VSUBPS    Z0, Z1, Z1
	VSUBPS    Z0, Z2, Z2
	VADDPS    (CX)(R15*4), Z1, Z1
	VADDPS    Z31, Z2, Z2
	VMULPS    Z2, Z1, Z1
	VMULPS    (DX)(R15*4), Z1, Z1
	VMOVUPS   Z1, (DI)(R15*4)
	VADDPS    Z1, Z3, Z3
	ADDQ      $16, R15
	CMPQ      R15, R13
	JLT       weigh

	VEXTRACTF64X4 $1, Z3, Y4
	VADDPS        Y4, Y3, Y3
	VEXTRACTF128  $1, Y3, X4
	VADDPS        X4, X3, X3
	VPSHUFD       $0x4e, X3, X4
	VADDPS        X4, X3, X3
	VPSHUFD       $0xb1, X3, X4
	VADDSS        X4, X3, X3
	VDIVSS        X3, X26, X3
	VBROADCASTSS  X3, Z3
	XORQ          R15, R15
	CMPL          pair_count(R8), $2048
	JHI           many
	VCVTUSI2SSL   pair_count(R8), X4, X4
	VBROADCASTSS  X4, Z4

few: // products below 2^24 are exact as float32
	ENCODE
	VMULPS     Z4, Z0, Z0
	VCVTTPS2DQ Z0, Z0
	MOVE
	ADDQ       $16, R15
	CMPQ       R15, R13
	JLT        few
	JMP        next

many:
	VPBROADCASTD pair_count(R8), Z4

product:
	ENCODE
	VCVTTPS2DQ Z0, Z0
	VPMULLD    Z4, Z0, Z0
	MOVE
	ADDQ       $16, R15
	CMPQ       R15, R13
	JLT        product

next:
	ADDQ R13, R10
	ADDQ $pair__size, R8
	DECQ R9
	JNE  pair

done:
	VZEROUPPER
	RET

// func sumRowsAVX512(sums *int64, rows *int32, n, kpad int)
//
// Sixteen topics at a time through all rows: DI sums, SI rows, CX n, DX kpad,
// R8 topic, R9 row, R10 rows left.
TEXT ·sumRowsAVX512(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ kpad+24(FP), DX
	XORQ R8, R8

topics:
	LEAQ   (SI)(R8*4), R9
	MOVQ   CX, R10
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1

row:
	VPMOVSXDQ (R9), Z2
	VPMOVSXDQ 32(R9), Z3
	VPADDQ    Z2, Z0, Z0
	VPADDQ    Z3, Z1, Z1
	LEAQ      (R9)(DX*4), R9
	DECQ      R10
	JNE       row
	VMOVDQU64 Z0, (DI)(R8*8)
	VMOVDQU64 Z1, 64(DI)(R8*8)
	ADDQ      $16, R8
	CMPQ      R8, DX
	JLT       topics
	VZEROUPPER
	RET

// func laneSumsAVX512(sums *[lanes]int32, gamma *uint8, n int)
//
// The sums of t are exact as float32; the offsets are taken out at the end:
// offset/16 times the n topics, in every lane.
TEXT ·laneSumsAVX512(SB), NOSPLIT, $0-24
	MOVQ         sums+0(FP), DI
	MOVQ         gamma+8(FP), SI
	MOVQ         n+16(FP), CX
	VPBROADCASTD constants<>+8(SB), Z30
	VPXORD       Z3, Z3, Z3
	LEAL         (CX)(CX*1), AX
	XORQ         R8, R8

lane:
	VPMOVSXBD (SI)(R8*1), Z0
	VPSLLD    $const_dropped, Z0, Z0
	VPADDD    Z30, Z0, Z0
	VADDPS    Z0, Z3, Z3
	ADDQ      $16, R8
	CMPQ      R8, CX
	JLT       lane

	VPBROADCASTD AX, Z1
	VCVTTPS2DQ   Z3, Z3
	VPSUBD       Z1, Z3, Z3
	VMOVDQU32    Z3, (DI)
	VZEROUPPER
	RET

// Running sums over the lanes of Z6, from the lowest up. Z9 is zero. Rubbish in Z7.
#define LANESUMS \
	VALIGND $15, Z9, Z6, Z7; \
	VPADDD  Z7, Z6, Z6;      \
	VALIGND $14, Z9, Z6, Z7; \
	VPADDD  Z7, Z6, Z6;      \
	VALIGND $12, Z9, Z6, Z7; \
	VPADDD  Z7, Z6, Z6;      \
	VALIGND $8, Z9, Z6, Z7;  \
	VPADDD  Z7, Z6, Z6

// func drawAVX512(z *uint32, n int, gamma *uint8, sums *int32, kpad int, u uint32)
//
// sums become the running sums of the definition, in the order of the bytes. All those of the lanes below the one of the
// topic are at most the number, and none of those above: how many there are together says lane and place.
TEXT ·drawAVX512(SB), NOSPLIT, $0-44
	MOVQ         z+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVQ         gamma+16(FP), SI
	MOVQ         sums+24(FP), BX
	MOVQ         kpad+32(FP), DX
	MOVL         u+40(FP), R8
	VPBROADCASTD constants<>+8(SB), Z30
	MOVL         $const_offset, AX
	VPBROADCASTD AX, Z29
	VPXORD       Z3, Z3, Z3
	VPXORD       Z5, Z5, Z5
	VPXORD       Z9, Z9, Z9
	XORQ         R9, R9

	// In a lane.
row:
	VPMOVSXBD  (SI)(R9*1), Z0
	VPSLLD     $const_dropped, Z0, Z0
	VPADDD     Z30, Z0, Z0
	VADDPS     Z0, Z3, Z3
	VPADDD     Z29, Z5, Z5
	VCVTTPS2DQ Z3, Z4
	VPSUBD     Z5, Z4, Z4
	VMOVDQU32  Z4, (BX)(R9*4)
	ADDQ       $16, R9
	CMPQ       R9, DX
	JLT        row

	// Of the lanes below.
	VMOVDQA32     Z4, Z6
	LANESUMS
	VPSUBD        Z4, Z6, Z8
	VEXTRACTI32X4 $3, Z6, X7
	VPEXTRD       $3, X7, R12 // all
	XORQ          R9, R9

below:
	VPADDD    (BX)(R9*4), Z8, Z0
	VMOVDQU32 Z0, (BX)(R9*4)
	ADDQ      $16, R9
	CMPQ      R9, DX
	JLT       below

	// 2^32 over the topics of a lane, rounded up.
	MOVQ DX, R13
	SHRQ $4, R13
	MOVL $0xFFFFFFFF, AX
	XORL DX, DX
	DIVL R13
	LEAQ 1(AX), R14
	MOVQ kpad+32(FP), DX

token:
	MOVL         R8, AX
	IMULQ        R12, AX
	SHRQ         $32, AX
	VPBROADCASTD AX, Z10
	XORL         R10, R10
	XORQ         R9, R9

count:
	VPCMPD  $5, (BX)(R9*4), Z10, K1 // not above the number
	KMOVW   K1, R11
	POPCNTL R11, R11
	ADDL    R11, R10
	ADDQ    $16, R9
	CMPQ    R9, DX
	JLT     count

	MOVQ  R10, AX
	IMULQ R14, AX
	SHRQ  $32, AX // lane
	MOVQ  AX, R11
	IMULQ R13, R11
	SUBQ  R11, R10
	SHLQ  $4, R10
	ADDQ  AX, R10
	MOVL  R10, (DI)
	ADDQ  $4, DI
	ADDL  $const_golden, R8
	DECQ  CX
	JNE   token
	VZEROUPPER
	RET
