//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// 2^-24
DATA toUnit<>+0(SB)/4, $0x33800000
GLOBL toUnit<>(SB), RODATA|NOPTR, $4

// SCAN makes prefix sums of 16 lanes by doubling.
#define SCAN(X, T) \
	VALIGND $15, Z31, X, T \
	VADDPS  T, X, X \
	VALIGND $14, Z31, X, T \
	VADDPS  T, X, X \
	VALIGND $12, Z31, X, T \
	VADDPS  T, X, X \
	VALIGND $8, Z31, X, T \
	VADDPS  T, X, X

// TOKEN finds the token at (R11): R8 document, R9 its list, R10 the list's length, BX word, R12 old topic z.
#define TOKEN \
	MOVWLZX (R11), AX \
	MOVQ    listCall_doc(SI), DX \
	MOVWLZX (DX)(AX*2), R8 \
	MOVQ    listCall_first(SI), DX \
	MOVL    (DX)(R8*4), R9 \
	MOVQ    listCall_entries(SI), DX \
	LEAQ    (DX)(R9*4), R9 \
	MOVQ    listCall_length(SI), DX \
	MOVL    (DX)(R8*4), R10 \
	MOVQ    listCall_of(SI), DX \
	MOVWLZX (DX)(AX*2), BX \
	IMULQ   $listWord__size, BX \
	ADDQ    listCall_words(SI), BX \
	MOVQ    listCall_z(SI), DX \
	MOVWLZX (DX)(AX*2), R12

// func drawListsAVX512(c *listCall)
//
// A draw is a long chain of operations that wait for each other, and ends with branches that nobody can predict. So up to
// eight tokens of as many documents are drawn together: first what needs no branches is computed for all of them, and kept
// in slots, then they are moved one after the other.
//
// Through all: SI call, R11 next of order, R13 slot, R14 slots, Z31 zeros, Z30 lanes, Z29 ones, Z28 0xffff, Z27 16, Z26 15,
// X25 2^-24.
//
// For a token: what TOKEN finds, CX number of matches, DI their entries, R15 their places in the list, X20 M, X13 W,
// X16 t and then r.
TEXT ·drawListsAVX512(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), SI
	MOVQ listCall_order(SI), R11
	VPXORD Z31, Z31, Z31
	VMOVDQU32 ·laneNumbers(SB), Z30
	MOVL $1, AX
	VPBROADCASTD AX, Z29
	MOVL $0xffff, AX
	VPBROADCASTD AX, Z28
	MOVL $16, AX
	VPBROADCASTD AX, Z27
	MOVL $15, AX
	VPBROADCASTD AX, Z26
	VMOVSS toUnit<>(SB), X25

	// Two quads if there are, or one, or a token.
next:
	MOVQ listCall_tokens(SI), AX
	TESTQ AX, AX
	JZ   done
	MOVQ listCall_quads(SI), CX
	MOVL $1, R14
	TESTQ CX, CX
	JZ   take
	MOVL $4, R14
	DECQ CX
	JZ   quads
	MOVL $8, R14
	DECQ CX

quads:
	MOVQ CX, listCall_quads(SI)

take:
	SUBQ R14, AX
	MOVQ AX, listCall_tokens(SI)
	MOVQ R11, listCall_order(SI)
	LEAQ listCall_slots(SI), R13
	IMULQ $listSlot__size, R14
	ADDQ R13, R14

token:
	MOVQ listSlot_entry(R13), DI
	MOVQ listSlot_at(R13), R15
	TOKEN
	MOVQ listCall_random(SI), DX
	MOVL (DX)(AX*4), DX
	SHRL $8, DX
	VCVTSI2SSL DX, X31, X16
	VMULSS X25, X16, X16

	// A few lines of what a word of the next tokens will need.
	MOVQ listCall_next(SI), DX
	CMPQ DX, listCall_nextEnd(SI)
	JEQ  matches
	MOVQ listCall_nextByte(SI), CX
	MOVQ listWord_ahead(DX), AX
	ADDQ CX, AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 192(AX)
	ADDQ $256, CX
	MOVQ CX, listCall_nextByte(SI)
	CMPQ CX, listWord_aheadBytes(DX)
	JLT  matches
	MOVQ listWord_bits(DX), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	MOVQ listWord_sums(DX), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	ADDQ $listWord__size, DX
	MOVQ DX, listCall_next(SI)
	MOVQ $0, listCall_nextByte(SI)

matches:
	MOVQ listWord_bits(BX), AX
	VMOVDQU32 (AX), Z0
	VMOVDQU32 64(AX), Z1
	VMOVDQA32 Z30, Z5
	XORQ CX, CX
	XORQ DX, DX

filter:
	VMOVDQU32 (R9)(DX*4), Z2
	VPTESTMD Z2, Z2, K1
	VPSRLD   $5, Z2, Z3
	VPERMI2D Z1, Z0, Z3
	VPRORVD  Z2, Z3, Z3
	VPTESTMD Z29, Z3, K1, K2
	VPCOMPRESSD.Z Z2, K2, Z4
	VPCOMPRESSD.Z Z5, K2, Z6
	VMOVDQU32 Z4, (DI)(CX*4)
	VMOVDQU32 Z6, (R15)(CX*4)
	VPADDD   Z27, Z5, Z5
	KMOVW    K2, AX
	POPCNTL  AX, AX
	ADDQ     AX, CX
	ADDQ     $16, DX
	CMPQ     DX, R10
	JLT      filter

	// Their weights and prefix sums.
	VPBROADCASTD R12, Z7
	VPBROADCASTD CX, Z8
	VPBROADCASTD listWord_log2(BX), Z9
	VPBROADCASTD listWord_keep(BX), Z10
	VMOVDQA32 Z30, Z11
	VPXORD Z20, Z20, Z20
	MOVQ R8, R9
	XORQ DX, DX

weights:
	VMOVDQU32 (DI)(DX*4), Z2
	VPCMPD   $1, Z8, Z11, K1
	VPANDD   Z28, Z2, Z3
	VPSRLD   $16, Z2, Z4
	VPCMPEQD Z7, Z3, K1, K2
	VPSLLVD  Z9, Z3, Z5
	KMOVW    K1, K3
	VPXORD   Z6, Z6, Z6
	VPXORD   Z12, Z12, Z12
	MOVQ     listWord_row(BX), AX
	VPGATHERDD (AX)(Z5*1), K3, Z6
	MOVQ     listCall_inv(SI), AX
	VGATHERDPS (AX)(Z3*4), K1, Z12
	VPANDD   Z10, Z6, Z6
	VPSUBD   Z29, Z6, K2, Z6
	VPSUBD   Z29, Z4, K2, Z4
	VCVTDQ2PS Z4, Z4
	VCVTDQ2PS Z6, Z6
	VMULPS   Z12, Z4, Z4
	VMULPS   Z6, Z4, Z4
	SCAN(Z4, Z12)
	VADDPS   Z20, Z4, Z4
	MOVQ     listSlot_prefix(R13), AX
	VMOVUPS  Z4, (AX)(DX*4)
	VPERMPS  Z4, Z26, Z20
	KMOVW    K2, AX
	TZCNTL   AX, AX
	LEAQ     (DX)(AX*1), AX
	CMOVQCC  AX, R8
	VPADDD   Z27, Z11, Z11
	ADDQ     $16, DX
	CMPQ     DX, CX
	JLT      weights

	// W, R and t. R8 is which match is z, R9 the document.
	MOVQ   listCall_smooth(SI), AX
	VMOVSS listWord_total(BX), X13
	VSUBSS (AX)(R12*4), X13, X13
	MOVQ   listCall_sums(SI), DX
	MOVQ   (DX)(R9*8), AX
	MOVQ   listCall_whole(SI), DX
	SUBQ   (DX)(R12*8), AX
	VCVTSI2SSQ AX, X31, X14
	VMULSS listCall_restScale(SI), X14, X14
	VADDSS X13, X20, X15
	VADDSS X14, X15, X15
	VMULSS X15, X16, X16
	VMOVSS X16, listSlot_t(R13)
	VMOVSS X13, listSlot_word(R13)
	VMOVSS X20, listSlot_match(R13)
	MOVL   CX, listSlot_n(R13)
	MOVL   (R15)(R8*4), AX
	MOVL   AX, listSlot_own(R13)
	ADDQ   $2, R11
	ADDQ   $listSlot__size, R13
	CMPQ   R13, R14
	JLT    token

	// Now they move.
	LEAQ listCall_slots(SI), R13
	MOVQ listCall_order(SI), R11

moving:
	TOKEN
	MOVQ listSlot_entry(R13), DI
	MOVQ listSlot_at(R13), R15
	MOVL listSlot_n(R13), CX
	VMOVSS listSlot_t(R13), X16
	VMOVSS listSlot_match(R13), X20
	VUCOMISS X20, X16
	JCC  beyond

	// The match at t.
	VBROADCASTSS X16, Z16
	LEAL   -1(CX), DX
	VPBROADCASTD DX, Z8
	MOVQ   listSlot_prefix(R13), AX
	VMOVDQA32 Z30, Z11
	XORQ   DX, DX
	MOVQ   CX, BX
	XORQ   CX, CX

sums:
	VPCMPD $1, Z8, Z11, K1
	VMOVUPS (AX)(DX*4), Z4
	VCMPPS $2, Z16, Z4, K1, K2
	KMOVW  K2, R10
	POPCNTL R10, R10
	ADDQ   R10, CX
	VPADDD Z27, Z11, Z11
	ADDQ   $16, DX
	CMPQ   DX, BX
	JLT    sums
	MOVL    (R15)(CX*4), DX
	MOVWLZX (DI)(CX*4), AX

	// The token moves to topic AX, whose entry is number DX.
move:
	ADDL $0x10000, (R9)(DX*4)
	MOVL listSlot_own(R13), DX
	MOVWLZX (R11), BX
	MOVQ listCall_z(SI), CX
	MOVW AX, (CX)(BX*2)
	MOVQ listCall_whole(SI), CX
	MOVQ (CX)(AX*8), AX
	SUBQ (CX)(R12*8), AX
	MOVQ listCall_sums(SI), CX
	ADDQ AX, (CX)(R8*8)
	MOVL (R9)(DX*4), AX
	SUBL $0x10000, AX
	MOVL AX, (R9)(DX*4)
	CMPL AX, $0x10000
	JCC  moved

	// An empty entry is replaced by the last.
	MOVQ listCall_length(SI), AX
	MOVL (AX)(R8*4), R10
	DECQ R10
	MOVL R10, (AX)(R8*4)
	MOVL (R9)(R10*4), AX
	MOVL AX, (R9)(DX*4)
	MOVL $0, (R9)(R10*4)

moved:
	ADDQ $2, R11
	ADDQ $listSlot__size, R13
	CMPQ R13, R14
	JLT  moving
	JMP  next

	// The group of the word part, whose number comes to CX.
beyond:
	VPBROADCASTD R12, Z7
	VMOVSS   listSlot_word(R13), X13
	VSUBSS   X20, X16, X16
	VUCOMISS X13, X16
	JCC      rest
	VBROADCASTSS X16, Z16
	MOVQ listCall_smooth(SI), AX
	VBROADCASTSS (AX)(R12*4), Z17
	MOVQ listWord_sums(BX), DI
	MOVL R12, AX
	SHRL $5, AX
	VPBROADCASTD AX, Z2
	MOVQ listCall_groups(SI), DX
	DECQ DX
	VPBROADCASTD DX, Z3
	VMOVDQA32 Z30, Z11
	XORQ CX, CX
	XORQ AX, AX

groups:
	VPCMPD $1, Z3, Z11, K1
	VPCMPD $5, Z2, Z11, K2
	VMOVUPS.Z (DI)(AX*4), K1, Z4
	VSUBPS Z17, Z4, K2, Z4
	VCMPPS $2, Z16, Z4, K1, K3
	KMOVW  K3, R15
	POPCNTL R15, R15
	ADDQ   R15, CX
	VPADDD Z27, Z11, Z11
	ADDQ   $16, AX
	CMPQ   AX, DX
	JLT    groups

	TESTQ  CX, CX
	JZ     cells
	VMOVSS -4(DI)(CX*4), X4
	MOVL   R12, AX
	SHRL   $5, AX
	CMPQ   CX, AX
	JLE    before
	VSUBSS X17, X4, X4

before:
	VSUBSS X4, X16, X16
	VBROADCASTSS X16, Z16

	// The group's counts.
cells:
	SHLQ $5, CX
	MOVQ listWord_row(BX), AX
	MOVL listWord_log2(BX), DX
	CMPL DX, $1
	JEQ  halves
	JGT  words
	VPMOVZXBD (AX)(CX*1), Z2
	VPMOVZXBD 16(AX)(CX*1), Z3
	JMP  lanes

halves:
	VPMOVZXWD (AX)(CX*2), Z2
	VPMOVZXWD 32(AX)(CX*2), Z3
	JMP  lanes

words:
	VMOVDQU32 (AX)(CX*4), Z2
	VMOVDQU32 64(AX)(CX*4), Z3

lanes:
	VPBROADCASTD CX, Z4
	VPADDD   Z30, Z4, Z4
	VPADDD   Z27, Z4, Z5
	VPCMPEQD Z7, Z4, K1
	VPCMPEQD Z7, Z5, K2
	VPSUBD   Z29, Z2, K1, Z2
	VPSUBD   Z29, Z3, K2, Z3
	VCVTDQ2PS Z2, Z2
	VCVTDQ2PS Z3, Z3
	VBROADCASTSS listCall_beta(SI), Z6
	VADDPS   Z6, Z2, Z2
	VADDPS   Z6, Z3, Z3
	MOVQ     listCall_smooth(SI), AX
	VMULPS   (AX)(CX*4), Z2, Z2
	VMULPS   64(AX)(CX*4), Z3, Z3
	SCAN(Z2, Z4)
	SCAN(Z3, Z5)
	VPERMPS  Z2, Z26, Z4
	VADDPS   Z4, Z3, Z3
	VCMPPS   $2, Z16, Z2, K1
	VCMPPS   $2, Z16, Z3, K2
	KUNPCKWD K1, K2, K1
	KMOVD    K1, AX
	MOVQ     listCall_topics(SI), DX
	SUBQ     CX, DX
	MOVL     $32, R15
	CMPQ     DX, R15
	CMOVQGT  R15, DX
	DECQ     DX
	BZHIL    DX, AX, AX
	POPCNTL  AX, AX
	ADDQ     CX, AX

	// The entry of topic AX, or a new one.
	VPBROADCASTD AX, Z2
	XORQ DX, DX

find:
	VMOVDQU32 (R9)(DX*4), Z3
	VPTESTMD Z3, Z3, K1
	VPANDD   Z28, Z3, Z3
	VPCMPEQD Z2, Z3, K1, K2
	KMOVW    K2, CX
	TESTL    CX, CX
	JNZ      found
	ADDQ     $16, DX
	CMPQ     DX, R10
	JLT      find
	MOVQ     R10, DX
	MOVL     AX, (R9)(DX*4)
	INCQ     R10
	MOVQ     listCall_length(SI), CX
	MOVL     R10, (CX)(R8*4)
	JMP      move

found:
	TZCNTL CX, CX
	ADDQ   CX, DX
	JMP    move

	// The entry of the list at r - W of the rest.
rest:
	VSUBSS X13, X16, X16
	VBROADCASTSS X16, Z16
	VBROADCASTSS listCall_beta(SI), Z9
	MOVQ   listSlot_prefix(R13), CX
	VPXORD Z20, Z20, Z20
	XORQ   DX, DX

restSums:
	VMOVDQU32 (R9)(DX*4), Z2
	VPTESTMD Z2, Z2, K1
	VPANDD   Z28, Z2, Z3
	VPSRLD   $16, Z2, Z4
	VPCMPEQD Z7, Z3, K1, K2
	VPXORD   Z12, Z12, Z12
	MOVQ     listCall_inv(SI), AX
	VGATHERDPS (AX)(Z3*4), K1, Z12
	VPSUBD   Z29, Z4, K2, Z4
	VCVTDQ2PS Z4, Z4
	VMULPS   Z12, Z4, Z4
	VMULPS   Z9, Z4, Z4
	SCAN(Z4, Z12)
	VADDPS   Z20, Z4, Z4
	VMOVUPS  Z4, (CX)(DX*4)
	VPERMPS  Z4, Z26, Z20
	ADDQ     $16, DX
	CMPQ     DX, R10
	JLT      restSums
	LEAL     -1(R10), AX
	VPBROADCASTD AX, Z8
	VMOVDQA32 Z30, Z11
	XORQ     DX, DX
	XORQ     BX, BX

restCount:
	VPCMPD  $1, Z8, Z11, K1
	VMOVUPS (CX)(DX*4), Z4
	VCMPPS  $2, Z16, Z4, K1, K2
	KMOVW   K2, AX
	POPCNTL AX, AX
	ADDQ    AX, BX
	VPADDD  Z27, Z11, Z11
	ADDQ    $16, DX
	CMPQ    DX, R10
	JLT     restCount
	MOVQ    BX, DX
	MOVWLZX (R9)(DX*4), AX
	JMP     move

done:
	VZEROUPPER
	RET
