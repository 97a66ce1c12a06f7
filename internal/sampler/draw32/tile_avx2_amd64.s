//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// Lane numbers 0 … 31; the first four are group numbers too.
DATA laneNumber<>+0(SB)/4, $0
DATA laneNumber<>+4(SB)/4, $1
DATA laneNumber<>+8(SB)/4, $2
DATA laneNumber<>+12(SB)/4, $3
DATA laneNumber<>+16(SB)/4, $4
DATA laneNumber<>+20(SB)/4, $5
DATA laneNumber<>+24(SB)/4, $6
DATA laneNumber<>+28(SB)/4, $7
DATA laneNumber<>+32(SB)/4, $8
DATA laneNumber<>+36(SB)/4, $9
DATA laneNumber<>+40(SB)/4, $10
DATA laneNumber<>+44(SB)/4, $11
DATA laneNumber<>+48(SB)/4, $12
DATA laneNumber<>+52(SB)/4, $13
DATA laneNumber<>+56(SB)/4, $14
DATA laneNumber<>+60(SB)/4, $15
DATA laneNumber<>+64(SB)/4, $16
DATA laneNumber<>+68(SB)/4, $17
DATA laneNumber<>+72(SB)/4, $18
DATA laneNumber<>+76(SB)/4, $19
DATA laneNumber<>+80(SB)/4, $20
DATA laneNumber<>+84(SB)/4, $21
DATA laneNumber<>+88(SB)/4, $22
DATA laneNumber<>+92(SB)/4, $23
DATA laneNumber<>+96(SB)/4, $24
DATA laneNumber<>+100(SB)/4, $25
DATA laneNumber<>+104(SB)/4, $26
DATA laneNumber<>+108(SB)/4, $27
DATA laneNumber<>+112(SB)/4, $28
DATA laneNumber<>+116(SB)/4, $29
DATA laneNumber<>+120(SB)/4, $30
DATA laneNumber<>+124(SB)/4, $31
GLOBL laneNumber<>(SB), RODATA|NOPTR, $128

// 4 in four lanes
DATA fours<>+0(SB)/8, $0x0000000400000004
DATA fours<>+8(SB)/8, $0x0000000400000004
GLOBL fours<>(SB), RODATA|NOPTR, $16

// 2^-24
DATA unit<>+0(SB)/4, $0x33800000
GLOBL unit<>(SB), RODATA|NOPTR, $4

// TAKE subtracts delta (Y8) from the lane of X, beginning with lane number N/4,
// whose number is in Y4.
#define TAKE(N, X) \
	VPCMPEQD laneNumber<>+N(SB), Y4, Y5 \
	VANDPS   Y8, Y5, Y5 \
	VSUBPS   Y5, X, X

// SHIFT adds to the sixteen lanes X, Y those 4 - B/4 lanes below, for B = 12 or 8:
// Y4 and Y5 are the lanes four below, from which VPALIGNR takes the rest.
#define SHIFT(B, X, Y) \
	VPERM2F128 $0x08, X, X, Y4 \
	VPERM2F128 $0x21, Y, X, Y5 \
	VPALIGNR   $B, Y4, X, Y4 \
	VPALIGNR   $B, Y5, Y, Y5 \
	VADDPS     Y4, X, X \
	VADDPS     Y5, Y, Y

// SCAN makes prefix sums of sixteen lanes: doubling steps 1, 2, 4, 8.
#define SCAN(X, Y) \
	SHIFT(12, X, Y) \
	SHIFT(8, X, Y) \
	VPERM2F128 $0x08, X, X, Y4 \
	VPERM2F128 $0x21, Y, X, Y5 \
	VADDPS     Y4, X, X \
	VADDPS     Y5, Y, Y \
	VADDPS     X, Y, Y

// func drawTileAVX2(a *tileArgs)
//
// Draws token after token in the given order; as neighbours are of different
// documents, the processor finds several to work on by itself.
//
// Registers through the loop over tokens:
//   SI args   R9 tokens left   R11 order   R12 prefix   R13 cum   X15 zero
// per token:
//   AX old topic   R8 the document's dnt row   R10 its α   R14 its ndk row
//   BX the word's row, then the lane, then the topic drawn
//   Y0 … Y3 running sums of the 32 lanes, then their prefix sums
//   Y8 delta in all lanes   X9 without   X10 u, then t, then r
TEXT ·drawTileAVX2(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), SI
	MOVQ TileArgs_Order(SI), R11
	MOVQ (TileArgs_Order+8)(SI), R9
	MOVQ TileArgs_Cum(SI), R13
	MOVQ TileArgs_Prefix(SI), R12
	VXORPS X15, X15, X15

token:
	DECQ R9
	JLT  done

	// The token, its rows, u and its old topic.
	MOVWLZX (R11), AX
	MOVQ    TileArgs_Docs(SI), CX
	MOVWLZX (CX)(AX*2), R8
	MOVL    TileArgs_DocMask(SI), R10
	ANDL    R8, R10
	MOVQ    TileArgs_AlphaAt(SI), CX
	MOVL    (CX)(R10*4), R10
	MOVQ    TileArgs_Alpha(SI), CX
	LEAQ    (CX)(R10*4), R10
	IMULQ   TileArgs_Kpad(SI), R8
	MOVQ    TileArgs_Ndk(SI), CX
	LEAQ    (CX)(R8*2), R14
	MOVQ    TileArgs_Dnt(SI), CX
	LEAQ    (CX)(R8*4), R8
	MOVQ    TileArgs_RowOf(SI), CX
	MOVWLZX (CX)(AX*2), BX
	IMULQ   TileArgs_Kpad(SI), BX
	MOVQ    TileArgs_Rows(SI), CX
	LEAQ    (CX)(BX*4), BX
	MOVQ    TileArgs_Random(SI), CX
	MOVL    (CX)(AX*4), R15
	SHRL    $8, R15
	VCVTSI2SSL R15, X15, X10
	VMULSS  unit<>(SB), X10, X10
	MOVQ    TileArgs_Z(SI), CX
	MOVWLZX (CX)(AX*2), AX

	// without = (n_dz - 1 + α_z)·inv_z, delta = dnt_z·row_z - without·(row_z - own)
	MOVWLZX (R14)(AX*2), R15
	DECL    R15
	MOVW    R15, (R14)(AX*2)
	VCVTSI2SSL R15, X15, X9
	VADDSS  (R10)(AX*4), X9, X9
	MOVQ    TileArgs_Inv(SI), CX
	VMULSS  (CX)(AX*4), X9, X9
	VMOVSS  (BX)(AX*4), X4
	VMULSS  (R8)(AX*4), X4, X8
	VSUBSS  TileArgs_Own(SI), X4, X4
	VMULSS  X9, X4, X4
	VSUBSS  X4, X8, X8
	VBROADCASTSS X8, Y8

	// Running sums of the 32 lanes.
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	MOVQ   TileArgs_Kpad(SI), R15
	SHLQ   $2, R15
	XORQ   DX, DX

sum:
	VMOVUPS (BX)(DX*1), Y4
	VMOVUPS 32(BX)(DX*1), Y5
	VMOVUPS 64(BX)(DX*1), Y6
	VMOVUPS 96(BX)(DX*1), Y7
	VMULPS  (R8)(DX*1), Y4, Y4
	VMULPS  32(R8)(DX*1), Y5, Y5
	VMULPS  64(R8)(DX*1), Y6, Y6
	VMULPS  96(R8)(DX*1), Y7, Y7
	VADDPS  Y4, Y0, Y0
	VADDPS  Y5, Y1, Y1
	VADDPS  Y6, Y2, Y2
	VADDPS  Y7, Y3, Y3
	VMOVUPS Y0, (R13)(DX*1)
	VMOVUPS Y1, 32(R13)(DX*1)
	VMOVUPS Y2, 64(R13)(DX*1)
	VMOVUPS Y3, 96(R13)(DX*1)
	ADDQ    $128, DX
	CMPQ    DX, R15
	JLT     sum

	// Take delta out of the old topic's lane.
	MOVL  AX, CX
	ANDL  $31, CX
	VMOVD CX, X4
	VPBROADCASTD X4, Y4
	TAKE(0, Y0)
	TAKE(32, Y1)
	TAKE(64, Y2)
	TAKE(96, Y3)

	// Prefix sums in both halves, then the lower half's last into the upper.
	SCAN(Y0, Y1)
	SCAN(Y2, Y3)
	VPERM2F128 $0x11, Y1, Y1, Y4
	VPERMILPS  $0xFF, Y4, Y4
	VADDPS     Y4, Y2, Y2
	VADDPS     Y4, Y3, Y3
	VMOVUPS    Y0, 64(R12)
	VMOVUPS    Y1, 96(R12)
	VMOVUPS    Y2, 128(R12)
	VMOVUPS    Y3, 160(R12)

	// t = u·P_31; the lane: how many prefix sums are at most t.
	VMULSS    188(R12), X10, X10
	VBROADCASTSS X10, Y4
	VCMPPS    $2, Y4, Y0, Y0
	VCMPPS    $2, Y4, Y1, Y1
	VCMPPS    $2, Y4, Y2, Y2
	VCMPPS    $2, Y4, Y3, Y3
	VMOVMSKPS Y0, BX
	VMOVMSKPS Y1, CX
	VMOVMSKPS Y2, DX
	VMOVMSKPS Y3, DI
	SHLL      $8, CX
	SHLL      $16, DX
	SHLL      $24, DI
	ORL       CX, BX
	ORL       DX, DI
	ORL       DI, BX
	ANDL      TileArgs_LaneMask(SI), BX
	POPCNTL   BX, BX

	// r = t - P_(lane-1), with a zero before P_0.
	VSUBSS 60(R12)(BX*4), X10, X10

	// The old topic is in the lane's running sums from its group on, if it is
	// of this lane at all: DI = that group, or a group beyond all.
	MOVL    AX, DI
	MOVL    AX, CX
	SHRL    $5, DI
	ANDL    $31, CX
	CMPL    CX, BX
	MOVL    $0x7fffffff, CX
	CMOVLNE CX, DI

	// The lane's first m = (K - 1 - lane) / 32 running sums decide the group,
	// four at a time: X6 their group numbers, X4 the old topic's group, X5 m,
	// X7 r. BX grows by 32 for each that is at most r.
	MOVQ  TileArgs_Topics(SI), CX
	DECL  CX
	SUBL  BX, CX
	SHRL  $5, CX
	LEAQ  (R13)(BX*4), R15
	VMOVD DI, X4
	VPBROADCASTD X4, X4
	VMOVD CX, X5
	VPBROADCASTD X5, X5
	VMOVDQU laneNumber<>(SB), X6
	VBROADCASTSS X10, X7

groups:
	VMOVSS    (R15), X11
	VINSERTPS $0x10, 128(R15), X11, X11
	VINSERTPS $0x20, 256(R15), X11, X11
	VINSERTPS $0x30, 384(R15), X11, X11
	VPCMPGTD  X6, X4, X12
	VANDNPS   X8, X12, X12
	VSUBPS    X12, X11, X11
	VCMPPS    $2, X7, X11, X11
	VPCMPGTD  X6, X5, X12
	VANDPS    X12, X11, X11
	VMOVMSKPS X11, DX
	POPCNTL   DX, DX
	SHLL      $5, DX
	ADDL      DX, BX
	VPADDD    fours<>(SB), X6, X6
	ADDQ      $512, R15
	SUBL      $4, CX
	JGT       groups

	// Move the token: n_dz and DNT_dz out, n_dk and DNT_dk in.
	VMOVSS  X9, (R8)(AX*4)
	MOVWLZX (R14)(BX*2), AX
	INCL    AX
	MOVW    AX, (R14)(BX*2)
	VCVTSI2SSL AX, X15, X4
	VADDSS  (R10)(BX*4), X4, X4
	MOVQ    TileArgs_Inv(SI), CX
	VMULSS  (CX)(BX*4), X4, X4
	VMOVSS  X4, (R8)(BX*4)
	MOVWLZX (R11), AX
	MOVQ    TileArgs_Z(SI), CX
	MOVW    BX, (CX)(AX*2)
	ADDQ    $2, R11
	JMP     token

done:
	VZEROUPPER
	RET

// func floatRowAVX2(dst *float32, src *int32, n int, beta float32)
//
// n is a multiple of 8.
TEXT ·floatRowAVX2(SB), NOSPLIT, $0-28
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS beta+24(FP), Y1
	SHLQ $2, CX
	XORQ AX, AX

floats:
	VCVTDQ2PS (SI)(AX*1), Y0
	VADDPS    Y1, Y0, Y0
	VMOVUPS   Y0, (DI)(AX*1)
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLT       floats
	VZEROUPPER
	RET

// func dntRowAVX2(dst *float32, ndk *uint16, alpha, inv *float32, n int)
//
// n is a multiple of 8.
TEXT ·dntRowAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ ndk+8(FP), SI
	MOVQ alpha+16(FP), R8
	MOVQ inv+24(FP), R9
	MOVQ n+32(FP), CX
	XORQ AX, AX

dnt:
	VPMOVZXWD (SI)(AX*2), Y0
	VCVTDQ2PS Y0, Y0
	VADDPS    (R8)(AX*4), Y0, Y0
	VMULPS    (R9)(AX*4), Y0, Y0
	VMOVUPS   Y0, (DI)(AX*4)
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       dnt
	VZEROUPPER
	RET
