//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// Group numbers 0 … 15 in steps of 512 bytes, in units of 8 bytes: for gathering
// one lane's running sums.
DATA groupIndex<>+0(SB)/4, $0
DATA groupIndex<>+4(SB)/4, $64
DATA groupIndex<>+8(SB)/4, $128
DATA groupIndex<>+12(SB)/4, $192
DATA groupIndex<>+16(SB)/4, $256
DATA groupIndex<>+20(SB)/4, $320
DATA groupIndex<>+24(SB)/4, $384
DATA groupIndex<>+28(SB)/4, $448
DATA groupIndex<>+32(SB)/4, $512
DATA groupIndex<>+36(SB)/4, $576
DATA groupIndex<>+40(SB)/4, $640
DATA groupIndex<>+44(SB)/4, $704
DATA groupIndex<>+48(SB)/4, $768
DATA groupIndex<>+52(SB)/4, $832
DATA groupIndex<>+56(SB)/4, $896
DATA groupIndex<>+60(SB)/4, $960
GLOBL groupIndex<>(SB), RODATA|NOPTR, $64

// Group numbers 0 … 15, and their number.
DATA groupNumber<>+0(SB)/4, $0
DATA groupNumber<>+4(SB)/4, $1
DATA groupNumber<>+8(SB)/4, $2
DATA groupNumber<>+12(SB)/4, $3
DATA groupNumber<>+16(SB)/4, $4
DATA groupNumber<>+20(SB)/4, $5
DATA groupNumber<>+24(SB)/4, $6
DATA groupNumber<>+28(SB)/4, $7
DATA groupNumber<>+32(SB)/4, $8
DATA groupNumber<>+36(SB)/4, $9
DATA groupNumber<>+40(SB)/4, $10
DATA groupNumber<>+44(SB)/4, $11
DATA groupNumber<>+48(SB)/4, $12
DATA groupNumber<>+52(SB)/4, $13
DATA groupNumber<>+56(SB)/4, $14
DATA groupNumber<>+60(SB)/4, $15
DATA groupNumber<>+64(SB)/4, $16
GLOBL groupNumber<>(SB), RODATA|NOPTR, $68

// 2^-24
DATA toUnit<>+0(SB)/4, $0x33800000
GLOBL toUnit<>(SB), RODATA|NOPTR, $4

// drawTileAVX512 has four slots, S = 0 … 3, for four tokens at once, and the
// steps of a draw as macros over a slot and its registers:
//
//          D    W    X,Y       U    O    P
//   S = 0  R8   BX   Z0,Z1     X12  X16  Z20
//   S = 1  R9   CX   Z2,Z3     X13  X17  Z21
//   S = 2  R10  DX   Z4,Z5     X14  X18  Z22
//   S = 3  R12  DI   Z6,Z7     X15  X19  Z23
//
//   D    row of the document in dnt
//   W    row of the word; later the lane, then the topic drawn
//   X,Y  running sums of lanes 0–15 and 16–31, then their prefix sums
//   U    u, then t = u·P_31, then r = t - P_(lane-1)
//   O    without = (n_dz - 1 + α_z)·inv_z
//   P    delta, the own contribution, in all lanes
//
// On the stack: 8S(SP) row of the document in ndk, (32+4S)(SP) old topic z, (80+8S)(SP) α of the document.
// The running sums of group g and slot S are at 512g + 128S of cum, the prefix
// sums at 192S + 64 of prefix, after zeros.
//
// Through all: SI args, R11 order, R13 cum, Z31 zero, Z30 groupIndex, Z29 15 in
// all lanes, X28 2^-24, X27 own. AX, BP, R14, R15 are free between steps.

// FETCH reads the token, takes it out of n_dz, and computes U, O and P.
#define FETCH(S, D, W, U, O, P, PZ) \
	MOVWLZX    (2*S)(R11), AX \
	MOVQ       TileArgs_Docs(SI), BP \
	MOVWLZX    (BP)(AX*2), D \
	MOVL       TileArgs_DocMask(SI), R15 \
	ANDL       D, R15 \
	MOVQ       TileArgs_AlphaAt(SI), BP \
	MOVL       (BP)(R15*4), R15 \
	MOVQ       TileArgs_Alpha(SI), BP \
	LEAQ       (BP)(R15*4), R15 \
	MOVQ       R15, (80+8*S)(SP) \
	IMULQ      TileArgs_Kpad(SI), D \
	MOVQ       TileArgs_Ndk(SI), BP \
	LEAQ       (BP)(D*2), R14 \
	MOVQ       R14, (8*S)(SP) \
	MOVQ       TileArgs_Dnt(SI), BP \
	LEAQ       (BP)(D*4), D \
	MOVQ       TileArgs_RowOf(SI), BP \
	MOVWLZX    (BP)(AX*2), W \
	IMULQ      TileArgs_Kpad(SI), W \
	MOVQ       TileArgs_Rows(SI), BP \
	LEAQ       (BP)(W*4), W \
	MOVQ       TileArgs_Random(SI), BP \
	MOVL       (BP)(AX*4), R15 \
	SHRL       $8, R15 \
	VCVTSI2SSL R15, X31, U \
	VMULSS     X28, U, U \
	MOVQ       TileArgs_Z(SI), BP \
	MOVWLZX    (BP)(AX*2), AX \
	MOVL       AX, (32+4*S)(SP) \
	MOVWLZX    (R14)(AX*2), R15 \
	DECL       R15 \
	MOVW       R15, (R14)(AX*2) \
	VCVTSI2SSL R15, X31, O \
	MOVQ       (80+8*S)(SP), BP \
	VADDSS     (BP)(AX*4), O, O \
	MOVQ       TileArgs_Inv(SI), BP \
	VMULSS     (BP)(AX*4), O, O \
	VMOVSS     (W)(AX*4), X24 \
	VMULSS     (D)(AX*4), X24, P \
	VSUBSS     X27, X24, X24 \
	VMULSS     O, X24, X24 \
	VSUBSS     X24, P, P \
	VBROADCASTSS P, PZ

// SUM adds the 32 products at byte BP of both rows to the running sums.
#define SUM(S, D, W, X, Y) \
	VMOVUPS (W)(BP*1), Z24 \
	VMOVUPS 64(W)(BP*1), Z25 \
	VMULPS  (D)(BP*1), Z24, Z24 \
	VMULPS  64(D)(BP*1), Z25, Z25 \
	VADDPS  Z24, X, X \
	VADDPS  Z25, Y, Y \
	VMOVUPS X, (128*S)(R13)(BP*4) \
	VMOVUPS Y, (128*S+64)(R13)(BP*4)

// PRODUCTS makes X and Y what SUM makes them with 32 topics or fewer, whose running sums nobody asks for.
#define PRODUCTS(D, W, X, Y) \
	VMOVUPS (W), X \
	VMOVUPS 64(W), Y \
	VMULPS  (D), X, X \
	VMULPS  64(D), Y, Y

// SCAN takes delta out of the old topic's lane and makes prefix sums: in both
// halves by doubling, then the lower half's last into the upper. BP: prefix.
#define SCAN(S, X, Y, PZ) \
	MOVL    (32+4*S)(SP), AX \
	MOVL    $1, R15 \
	SHLXL   AX, R15, R15 \
	KMOVW   R15, K1 \
	SHRL    $16, R15 \
	KMOVW   R15, K2 \
	VSUBPS  PZ, X, K1, X \
	VSUBPS  PZ, Y, K2, Y \
	VALIGND $15, Z31, X, Z24 \
	VALIGND $15, Z31, Y, Z25 \
	VADDPS  Z24, X, X \
	VADDPS  Z25, Y, Y \
	VALIGND $14, Z31, X, Z24 \
	VALIGND $14, Z31, Y, Z25 \
	VADDPS  Z24, X, X \
	VADDPS  Z25, Y, Y \
	VALIGND $12, Z31, X, Z24 \
	VALIGND $12, Z31, Y, Z25 \
	VADDPS  Z24, X, X \
	VADDPS  Z25, Y, Y \
	VALIGND $8, Z31, X, Z24 \
	VALIGND $8, Z31, Y, Z25 \
	VADDPS  Z24, X, X \
	VADDPS  Z25, Y, Y \
	VPERMPS X, Z29, Z24 \
	VADDPS  Z24, Y, Y \
	VMOVUPS X, (192*S+64)(BP) \
	VMOVUPS Y, (192*S+128)(BP)

// LANE computes t, counts into W the prefix sums at most t, and computes r.
#define LANE(S, W, X, Y, U) \
	VMULSS   (192*S+188)(BP), U, U \
	VBROADCASTSS U, Z24 \
	VCMPPS   $2, Z24, X, K1 \
	VCMPPS   $2, Z24, Y, K2 \
	KUNPCKWD K1, K2, K1 \
	KMOVD    K1, W \
	ANDL     TileArgs_LaneMask(SI), W \
	POPCNTL  W, W \
	VSUBSS   (192*S+60)(BP)(W*4), U, U

// OWNGROUP puts the old topic's group into AX if it is of lane W: from this
// group on, the lane's running sums contain the token. Else AX = BEYOND. R14
// gets m = (K - 1 - lane) div 32, the number of running sums that decide.
#define OWNGROUP(S, W, BEYOND) \
	MOVL    (32+4*S)(SP), AX \
	MOVL    AX, R14 \
	SHRL    $5, AX \
	ANDL    $31, R14 \
	CMPL    R14, W \
	MOVL    $BEYOND, R14 \
	CMOVLNE R14, AX \
	MOVQ    TileArgs_Topics(SI), R14 \
	DECL    R14 \
	SUBL    W, R14 \
	SHRL    $5, R14

// GROUP4 counts the lane's first m running sums at most r, m ≤ 4, and makes W
// the topic. Plain loads, because the stores of SUM can be forwarded to them.
// R15: -1.
#define GROUP4(S, W, U, P) \
	OWNGROUP(S, W, 31) \
	SHLXL     AX, R15, AX \
	KMOVW     AX, K2 \
	BZHIL     R14, R15, R14 \
	KMOVW     R14, K3 \
	VMOVSS    (128*S)(R13)(W*4), X24 \
	VINSERTPS $0x10, (128*S+512)(R13)(W*4), X24, X24 \
	VINSERTPS $0x20, (128*S+1024)(R13)(W*4), X24, X24 \
	VINSERTPS $0x30, (128*S+1536)(R13)(W*4), X24, X24 \
	VBROADCASTSS U, X25 \
	VSUBPS    P, X24, K2, X24 \
	VCMPPS    $2, X25, X24, K3, K1 \
	KMOVW     K1, AX \
	POPCNTL   AX, AX \
	SHLL      $5, AX \
	ADDL      AX, W

// GROUP does the same for any m, sixteen at a time: Z8 their group numbers, K2
// those that contain the token, K1 and K3 those that decide. LOOP is its label.
#define GROUP(S, W, U, PZ, LOOP) \
	OWNGROUP(S, W, 0x7fffffff) \
	LEAQ    (128*S)(R13)(W*4), BP \
	VMOVDQU32    groupNumber<>(SB), Z8 \
	VPBROADCASTD AX, Z9 \
	VPBROADCASTD R14, Z10 \
	VBROADCASTSS U, Z11 \
LOOP: \
	VPCMPD  $5, Z9, Z8, K2 \
	VPCMPD  $1, Z10, Z8, K1 \
	KMOVW   K1, K3 \
	VPXORD  Z24, Z24, Z24 \
	VGATHERDPS (BP)(Z30*8), K1, Z24 \
	VSUBPS  PZ, Z24, K2, Z24 \
	VCMPPS  $2, Z11, Z24, K3, K1 \
	KMOVW   K1, AX \
	POPCNTL AX, AX \
	SHLL    $5, AX \
	ADDL    AX, W \
	ADDQ    $8192, BP \
	VPADDD.BCST groupNumber<>+64(SB), Z8, Z8 \
	SUBL    $16, R14 \
	JGT     LOOP

// MOVE moves the token to topic W: n_dz and DNT_dz out, n_dk and DNT_dk in.
// R15: inv.
#define MOVE(S, D, W, O) \
	MOVL    (32+4*S)(SP), AX \
	VMOVSS  O, (D)(AX*4) \
	MOVQ    (8*S)(SP), R14 \
	MOVWLZX (R14)(W*2), AX \
	INCL    AX \
	MOVW    AX, (R14)(W*2) \
	VCVTSI2SSL AX, X31, X24 \
	MOVQ    (80+8*S)(SP), BP \
	VADDSS  (BP)(W*4), X24, X24 \
	VMULSS  (R15)(W*4), X24, X24 \
	VMOVSS  X24, (D)(W*4) \
	MOVWLZX (2*S)(R11), AX \
	MOVQ    TileArgs_Z(SI), R14 \
	MOVW    W, (R14)(AX*2)

// func drawTileAVX512(a *tileArgs)
TEXT ·drawTileAVX512(SB), NOSPLIT, $112-8
	MOVQ a+0(FP), SI
	MOVQ TileArgs_Order(SI), R11
	MOVQ TileArgs_Cum(SI), R13
	VPXORD Z31, Z31, Z31
	VMOVDQU32 groupIndex<>(SB), Z30
	MOVL $15, AX
	VPBROADCASTD AX, Z29
	VMOVSS toUnit<>(SB), X28
	VMOVSS TileArgs_Own(SI), X27
	MOVQ TileArgs_Quads(SI), AX
	MOVQ AX, 48(SP)
	MOVQ (TileArgs_Order+8)(SI), BP
	SHLQ $2, AX
	SUBQ AX, BP
	MOVQ BP, 56(SP)

	MOVQ (TileArgs_Next+8)(SI), AX
	MOVQ AX, 64(SP)
	MOVQ TileArgs_Next(SI), AX
	MOVQ AX, 72(SP)
	MOVQ TileArgs_Kpad(SI), R15
	SHLQ $2, R15
	MOVQ 48(SP), BX

	// Rows for which there is no quad are fetched ahead now.
surplus:
	CMPQ  64(SP), BX
	JLE   quad
	DECQ  64(SP)
	MOVQ  72(SP), AX
	MOVL  const_segmentWord(AX), R14
	ADDQ  $const_segmentBytes, AX
	MOVQ  AX, 72(SP)
	IMULQ TileArgs_Stride(SI), R14
	MOVQ  TileArgs_Table(SI), AX
	LEAQ  (AX)(R14*4), R14
	XORQ  BP, BP

line:
	PREFETCHT0 (R14)(BP*1)
	PREFETCHT0 64(R14)(BP*1)
	ADDQ $128, BP
	CMPQ BP, R15
	JLT  line
	JMP  surplus

	// 48(SP) quads left, 56(SP) single tokens left, 64(SP) rows left to fetch
	// ahead, one with each quad, 72(SP) where the next of them is named.
quad:
	DECQ 48(SP)
	JLT  one
	FETCH(0, R8, BX, X12, X16, X20, Z20)
	FETCH(1, R9, CX, X13, X17, X21, Z21)
	FETCH(2, R10, DX, X14, X18, X22, Z22)
	FETCH(3, R12, DI, X15, X19, X23, Z23)
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ TileArgs_Kpad(SI), R15
	SHLQ $2, R15
	XORQ BP, BP

	// The row of n_wk to fetch ahead, or one that is here already.
	MOVQ  BX, R14
	DECQ  64(SP)
	JLT   sum
	MOVQ  72(SP), AX
	MOVL  const_segmentWord(AX), R14
	ADDQ  $const_segmentBytes, AX
	MOVQ  AX, 72(SP)
	IMULQ TileArgs_Stride(SI), R14
	MOVQ  TileArgs_Table(SI), AX
	LEAQ  (AX)(R14*4), R14

sum:
	PREFETCHT0 (R14)(BP*1)
	PREFETCHT0 64(R14)(BP*1)
	CMPQ R15, $128
	JEQ  products
	SUM(0, R8, BX, Z0, Z1)
	SUM(1, R9, CX, Z2, Z3)
	SUM(2, R10, DX, Z4, Z5)
	SUM(3, R12, DI, Z6, Z7)
	ADDQ $128, BP
	CMPQ BP, R15
	JLT  sum
	JMP  scan

products:
	PRODUCTS(R8, BX, Z0, Z1)
	PRODUCTS(R9, CX, Z2, Z3)
	PRODUCTS(R10, DX, Z4, Z5)
	PRODUCTS(R12, DI, Z6, Z7)

scan:
	MOVQ TileArgs_Prefix(SI), BP
	SCAN(0, Z0, Z1, Z20)
	SCAN(1, Z2, Z3, Z21)
	SCAN(2, Z4, Z5, Z22)
	SCAN(3, Z6, Z7, Z23)
	LANE(0, BX, Z0, Z1, X12)
	LANE(1, CX, Z2, Z3, X13)
	LANE(2, DX, Z4, Z5, X14)
	LANE(3, DI, Z6, Z7, X15)
	CMPQ TileArgs_Topics(SI), $32
	JLE  chosen
	CMPQ TileArgs_Topics(SI), $160
	JGT  groups
	MOVL $-1, R15
	GROUP4(0, BX, X12, X20)
	GROUP4(1, CX, X13, X21)
	GROUP4(2, DX, X14, X22)
	GROUP4(3, DI, X15, X23)
	JMP  chosen

groups:
	GROUP(0, BX, X12, Z20, groups0)
	GROUP(1, CX, X13, Z21, groups1)
	GROUP(2, DX, X14, Z22, groups2)
	GROUP(3, DI, X15, Z23, groups3)

chosen:
	MOVQ TileArgs_Inv(SI), R15
	MOVE(0, R8, BX, X16)
	MOVE(1, R9, CX, X17)
	MOVE(2, R10, DX, X18)
	MOVE(3, R12, DI, X19)
	ADDQ $8, R11
	JMP  quad

	// The rest, one by one in slot 0.
one:
	DECQ 56(SP)
	JLT  done
	FETCH(0, R8, BX, X12, X16, X20, Z20)
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	MOVQ TileArgs_Kpad(SI), R15
	SHLQ $2, R15
	XORQ BP, BP

oneSum:
	SUM(0, R8, BX, Z0, Z1)
	ADDQ $128, BP
	CMPQ BP, R15
	JLT  oneSum

	MOVQ TileArgs_Prefix(SI), BP
	SCAN(0, Z0, Z1, Z20)
	LANE(0, BX, Z0, Z1, X12)
	CMPQ TileArgs_Topics(SI), $160
	JGT  oneGroups
	MOVL $-1, R15
	GROUP4(0, BX, X12, X20)
	JMP  oneChosen

oneGroups:
	GROUP(0, BX, X12, Z20, oneGroups0)

oneChosen:
	MOVQ TileArgs_Inv(SI), R15
	MOVE(0, R8, BX, X16)
	ADDQ $2, R11
	JMP  one

done:
	VZEROUPPER
	RET

// func floatRowAVX512(dst *float32, src *int32, n int, beta float32)
//
// n is a multiple of 16.
TEXT ·floatRowAVX512(SB), NOSPLIT, $0-28
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS beta+24(FP), Z1
	SHLQ $2, CX
	XORQ AX, AX

floats:
	VCVTDQ2PS (SI)(AX*1), Z0
	VADDPS    Z1, Z0, Z0
	VMOVUPS   Z0, (DI)(AX*1)
	ADDQ      $64, AX
	CMPQ      AX, CX
	JLT       floats
	VZEROUPPER
	RET

// func dntRowAVX512(dst *float32, ndk *uint16, alpha, inv *float32, n int)
//
// n is a multiple of 16.
TEXT ·dntRowAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ ndk+8(FP), SI
	MOVQ alpha+16(FP), R8
	MOVQ inv+24(FP), R9
	MOVQ n+32(FP), CX
	XORQ AX, AX

dnt:
	VPMOVZXWD (SI)(AX*2), Z0
	VCVTDQ2PS Z0, Z0
	VADDPS    (R8)(AX*4), Z0, Z0
	VMULPS    (R9)(AX*4), Z0, Z0
	VMOVUPS   Z0, (DI)(AX*4)
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       dnt
	VZEROUPPER
	RET
