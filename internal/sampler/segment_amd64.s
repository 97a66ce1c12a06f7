//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// Group numbers 0 … 15 times 32 topics, for gathering one lane's running sums.
DATA groupIndex<>+0(SB)/4, $0
DATA groupIndex<>+4(SB)/4, $32
DATA groupIndex<>+8(SB)/4, $64
DATA groupIndex<>+12(SB)/4, $96
DATA groupIndex<>+16(SB)/4, $128
DATA groupIndex<>+20(SB)/4, $160
DATA groupIndex<>+24(SB)/4, $192
DATA groupIndex<>+28(SB)/4, $224
DATA groupIndex<>+32(SB)/4, $256
DATA groupIndex<>+36(SB)/4, $288
DATA groupIndex<>+40(SB)/4, $320
DATA groupIndex<>+44(SB)/4, $352
DATA groupIndex<>+48(SB)/4, $384
DATA groupIndex<>+52(SB)/4, $416
DATA groupIndex<>+56(SB)/4, $448
DATA groupIndex<>+60(SB)/4, $480
GLOBL groupIndex<>(SB), RODATA|NOPTR, $64

// 2^-24, 1
DATA floats<>+0(SB)/4, $0x33800000
DATA floats<>+4(SB)/4, $0x3f800000
GLOBL floats<>(SB), RODATA|NOPTR, $8

// func drawSegmentAVX512(a *segmentArgs)
//
// Registers through the loop over tokens:
//   SI args      BX dnt     CX ndk     DX row    R12 cum    R13 prefix
//   R8 z         R9 docs    R10 random            R11 tokens left
//   Z31 zero     Z30 groupIndex   Z29 15 in all lanes   X28 2^-24   X27 own
//   per token: AX old topic, DI its dnt row, R14 its ndk row, R15 lane, X26 delta, X25 without
TEXT ·drawSegmentAVX512(SB), NOSPLIT, $16-8
	MOVQ a+0(FP), SI
	MOVQ segmentArgs_dnt(SI), BX
	MOVQ segmentArgs_ndk(SI), CX
	MOVQ segmentArgs_row(SI), DX
	MOVQ segmentArgs_cum(SI), R12
	MOVQ segmentArgs_prefix(SI), R13
	MOVQ segmentArgs_z(SI), R8
	MOVQ (segmentArgs_z+8)(SI), R11
	MOVQ segmentArgs_docs(SI), R9
	MOVQ segmentArgs_random(SI), R10
	VPXORD Z31, Z31, Z31
	VMOVDQU32 groupIndex<>(SB), Z30
	MOVL $15, AX
	VPBROADCASTD AX, Z29
	VMOVSS floats<>+0(SB), X28
	VMOVSS segmentArgs_own(SI), X27
	TESTQ R11, R11
	JE    done

token:
	// Rows of the token's document.
	MOVWLZX (R9), R14
	MOVQ    (segmentArgs_row+8)(SI), R15
	IMULQ   R15, R14
	LEAQ    (BX)(R14*4), DI
	LEAQ    (CX)(R14*2), R14
	MOVWLZX (R8), AX

	// without = (n_dz - 1 + α_z)·inv_z, delta = dnt_z·row_z - without·(row_z - own)
	MOVWLZX   (R14)(AX*2), R15
	DECL      R15
	MOVW      R15, (R14)(AX*2)
	VCVTSI2SSL R15, X31, X25
	MOVQ      segmentArgs_alpha(SI), R15
	VADDSS    (R15)(AX*4), X25, X25
	MOVQ      segmentArgs_inv(SI), R15
	VMULSS    (R15)(AX*4), X25, X25
	VMOVSS    (DX)(AX*4), X1
	VMULSS    (DI)(AX*4), X1, X26
	VSUBSS    X27, X1, X1
	VMULSS    X25, X1, X1
	VSUBSS    X1, X26, X26

	// Running sums of the 32 lanes: Z0 lanes 0–15, Z1 lanes 16–31.
	VMOVUPS (DI), Z0
	VMOVUPS 64(DI), Z1
	VMULPS  (DX), Z0, Z0
	VMULPS  64(DX), Z1, Z1
	VMOVUPS Z0, (R12)
	VMOVUPS Z1, 64(R12)
	MOVQ    (segmentArgs_row+8)(SI), R15
	SHLQ    $2, R15
	MOVQ    $128, BP
	CMPQ    BP, R15
	JGE     summed

sum:
	VMOVUPS (DI)(BP*1), Z2
	VMOVUPS 64(DI)(BP*1), Z3
	VMULPS  (DX)(BP*1), Z2, Z2
	VMULPS  64(DX)(BP*1), Z3, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VMOVUPS Z0, (R12)(BP*1)
	VMOVUPS Z1, 64(R12)(BP*1)
	ADDQ    $128, BP
	CMPQ    BP, R15
	JLT     sum

summed:
	// Take delta out of the old topic's lane.
	MOVL  $1, R15
	SHLXL AX, R15, R15
	KMOVW R15, K1
	SHRL  $16, R15
	KMOVW R15, K2
	VBROADCASTSS X26, Z4
	VSUBPS Z4, Z0, K1, Z0
	VSUBPS Z4, Z1, K2, Z1

	// Prefix sums in both halves, then the lower half's last into the upper.
	VALIGND $15, Z31, Z0, Z2
	VALIGND $15, Z31, Z1, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VALIGND $14, Z31, Z0, Z2
	VALIGND $14, Z31, Z1, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VALIGND $12, Z31, Z0, Z2
	VALIGND $12, Z31, Z1, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VALIGND $8, Z31, Z0, Z2
	VALIGND $8, Z31, Z1, Z3
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VPERMPS Z0, Z29, Z2
	VADDPS  Z2, Z1, Z1
	VMOVUPS Z0, 64(R13)
	VMOVUPS Z1, 128(R13)

	// t = u·P_31
	MOVL       (R10), R15
	SHRL       $8, R15
	VCVTSI2SSL R15, X31, X5
	VMULSS     X28, X5, X5
	VMULSS     188(R13), X5, X5
	VBROADCASTSS X5, Z6

	// The lane: how many prefix sums are at most t.
	VCMPPS  $2, Z6, Z0, K1
	VCMPPS  $2, Z6, Z1, K2
	KMOVW   K1, R15
	KMOVW   K2, BP
	SHLL    $16, BP
	ORL     BP, R15
	ANDL    segmentArgs_laneMask(SI), R15
	POPCNTL R15, R15

	// r = t - P_(lane-1), with a zero before P_0.
	VSUBSS 60(R13)(R15*4), X5, X5

	// The old topic is in the lane's running sums from its group on, if it is
	// of this lane at all: AX = that group, or a group beyond all.
	MOVL    AX, BP
	SHRL    $5, AX
	ANDL    $31, BP
	CMPL    BP, R15
	MOVL    $0x7fffffff, BP
	CMOVLNE BP, AX

	// The lane's first m = (K - 1 - lane) / 32 running sums decide the group.
	MOVQ segmentArgs_topics(SI), BP
	DECL BP
	SUBL R15, BP
	SHRL $5, BP
	LEAQ (R12)(R15*4), DI
	CMPL BP, $4
	JGT  many

	// At most four: plain loads, which the stores above can be forwarded to.
	VMOVSS    (DI), X7
	VINSERTPS $0x10, 128(DI), X7, X7
	VINSERTPS $0x20, 256(DI), X7, X7
	VINSERTPS $0x30, 384(DI), X7, X7
	VBROADCASTSS X5, X6
	MOVL    $16, DX
	CMPL    AX, DX
	CMOVLGT DX, AX
	MOVL    $-1, DX
	SHLXL   AX, DX, AX
	KMOVW   AX, K2
	BZHIL   BP, DX, DX
	KMOVW   DX, K3
	VSUBPS  X4, X7, K2, X7
	VCMPPS  $2, X6, X7, K3, K1
	KMOVW   K1, AX
	POPCNTL AX, AX
	SHLL    $5, AX
	ADDL    AX, R15
	JMP     chosen

many:
	// Sixteen at a time; R15 grows by 32 for each that is at most r.
	VBROADCASTSS X5, Z6

chunk:
	// K2: those of the sixteen that contain the old topic.
	XORL    DX, DX
	CMPL    AX, DX
	CMOVLGT AX, DX
	CMPL    DX, $16
	JLE     near
	MOVL    $16, DX

near:
	MOVL    BP, left-8(SP)
	MOVL    $-1, BP
	SHLXL   DX, BP, DX
	KMOVW   DX, K2
	MOVL    left-8(SP), BP

	// K1, K3: those of the sixteen that count.
	MOVL    $16, DX
	CMPL    BP, DX
	CMOVLLT BP, DX
	MOVL    $-1, BP
	BZHIL   DX, BP, DX
	MOVL    left-8(SP), BP
	KMOVW   DX, K1
	KMOVW   DX, K3

	VPXORD  Z7, Z7, Z7
	VGATHERDPS (DI)(Z30*4), K1, Z7
	VSUBPS  Z4, Z7, K2, Z7
	VCMPPS  $2, Z6, Z7, K3, K1
	KMOVW   K1, DX
	POPCNTL DX, DX
	SHLL    $5, DX
	ADDL    DX, R15
	ADDQ    $2048, DI
	SUBL    $16, AX
	SUBL    $16, BP
	JGT     chunk

chosen:
	// Move the token: n_dz and DNT_dz out, n_dk and DNT_dk in.
	MOVQ    segmentArgs_row(SI), DX
	MOVQ    R14, DI
	SUBQ    CX, DI
	LEAQ    (BX)(DI*2), DI
	MOVWLZX (R8), AX
	VMOVSS  X25, (DI)(AX*4)
	MOVWLZX (R14)(R15*2), AX
	INCL    AX
	MOVW    AX, (R14)(R15*2)
	VCVTSI2SSL AX, X31, X1
	MOVQ    segmentArgs_alpha(SI), AX
	VADDSS  (AX)(R15*4), X1, X1
	MOVQ    segmentArgs_inv(SI), AX
	VMULSS  (AX)(R15*4), X1, X1
	VMOVSS  X1, (DI)(R15*4)
	MOVW    R15, (R8)

	ADDQ $2, R8
	ADDQ $2, R9
	ADDQ $4, R10
	DECQ R11
	JNE  token

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
