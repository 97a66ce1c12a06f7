//go:build amd64 && !noasm

#include "textflag.h"

// Both versions keep one word of a block in the lower half of a 64-bit lane: a
// product of VPMULUDQ then is high half and low half in place, and what is left
// in the upper halves is never read. Two sets of registers C0 … C3, T0, T1 hide
// the latency of the multiplication.
//
// One round of a block (c0, c1, c2, c3) with the keys k0, k1 gives
//   (hi(m1·c2)^c1^k0, lo(m1·c2), hi(m0·c0)^c3^k1, lo(m0·c0)).
// The new c1 and c3 are left in T1 and T0, so that rounds come in pairs, the
// second with C1, T1 and C3, T0 exchanged.
//
// Lanes hold the blocks in the order that lets the words of four (or two)
// consecutive blocks come out of VPUNPCKLQDQ and of VPUNPCKHQDQ.

// Block numbers of the 64-bit lanes.
DATA order512<>+0(SB)/8, $0
DATA order512<>+8(SB)/8, $4
DATA order512<>+16(SB)/8, $1
DATA order512<>+24(SB)/8, $5
DATA order512<>+32(SB)/8, $2
DATA order512<>+40(SB)/8, $6
DATA order512<>+48(SB)/8, $3
DATA order512<>+56(SB)/8, $7
GLOBL order512<>(SB), RODATA|NOPTR, $64

DATA order256<>+0(SB)/8, $0
DATA order256<>+8(SB)/8, $2
DATA order256<>+16(SB)/8, $1
DATA order256<>+24(SB)/8, $3
GLOBL order256<>(SB), RODATA|NOPTR, $32

// m0, m1, and the numbers of blocks in one set of registers.
DATA constants<>+0(SB)/4, $0xD2511F53
DATA constants<>+4(SB)/4, $0xCD9E8D57
DATA constants<>+8(SB)/8, $8
DATA constants<>+16(SB)/8, $4
GLOBL constants<>(SB), RODATA|NOPTR, $24

// One round: the keys are at K and K+4 of SI, m0 in Z30 and m1 in Z31.
#define ROUND512(K, C0, C1, C2, C3, T0, T1) \
	VPMULUDQ Z30, C0, T0 \
	VPMULUDQ Z31, C2, T1 \
	VPSHUFD  $0xF5, T1, C0 \
	VPSHUFD  $0xF5, T0, C2 \
	VPTERNLOGD.BCST $0x96, K(SI), C1, C0 \
	VPTERNLOGD.BCST $0x96, (K+4)(SI), C3, C2

// Two rounds of both sets.
#define ROUNDS512(K) \
	ROUND512(K, Z0, Z1, Z2, Z3, Z4, Z5) \
	ROUND512(K, Z8, Z9, Z10, Z11, Z12, Z13) \
	ROUND512(K+8, Z0, Z5, Z2, Z4, Z3, Z1) \
	ROUND512(K+8, Z8, Z13, Z10, Z12, Z11, Z9)

// The words of eight blocks from C0 … C3 to OFFSET of DI, through T0 and T1.
#define STORE512(OFFSET, C0, C1, C2, C3, T0, T1) \
	VMOVSLDUP   C1, K1, C0 \
	VMOVSLDUP   C3, K1, C2 \
	VPUNPCKLQDQ C2, C0, T0 \
	VPUNPCKHQDQ C2, C0, T1 \
	VMOVDQU32   T0, OFFSET(DI) \
	VMOVDQU32   T1, (OFFSET+64)(DI)

// func fillAVX512(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration, purpose uint32)
//
// Registers through the loop over 16 blocks:
//   DI dst   CX blocks left   SI keys   K1 the upper halves of 64-bit lanes
//   Z26 block numbers   Z27 iteration   Z28 purpose   Z29 8   Z30 m0   Z31 m1
TEXT ·fillAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ keys+16(FP), SI
	VPBROADCASTQ firstBlock+24(FP), Z26
	VPADDQ       order512<>(SB), Z26, Z26
	MOVL iteration+32(FP), AX
	VPBROADCASTD AX, Z27
	MOVL purpose+36(FP), AX
	VPBROADCASTD AX, Z28
	VPBROADCASTQ constants<>+8(SB), Z29
	VPBROADCASTD constants<>+0(SB), Z30
	VPBROADCASTD constants<>+4(SB), Z31
	MOVL  $0xAAAA, AX
	KMOVW AX, K1

blocks16:
	VMOVDQA64 Z26, Z0
	VPADDQ    Z29, Z0, Z8
	VPADDQ    Z29, Z8, Z26
	VMOVDQA64 Z27, Z1
	VMOVDQA64 Z27, Z9
	VMOVDQA64 Z28, Z2
	VMOVDQA64 Z28, Z10
	VPSRLQ    $32, Z0, Z3
	VPSRLQ    $32, Z8, Z11
	ROUNDS512(0)
	ROUNDS512(16)
	ROUNDS512(32)
	ROUNDS512(48)
	ROUNDS512(64)
	STORE512(0, Z0, Z1, Z2, Z3, Z4, Z5)
	STORE512(128, Z8, Z9, Z10, Z11, Z12, Z13)
	ADDQ $256, DI
	SUBQ $16, CX
	JNE  blocks16
	VZEROUPPER
	RET

// One round of both sets: the keys are at K and K+4 of SI, m0 in Y14. With
// sixteen registers there is none left for m1 and the second key, which
// alternate in Y15.
#define ROUND256(K, C0, C1, C2, C3, T0, T1, D0, D1, D2, D3, U0, U1) \
	VPBROADCASTD constants<>+4(SB), Y15 \
	VPMULUDQ Y14, C0, T0 \
	VPMULUDQ Y14, D0, U0 \
	VPMULUDQ Y15, C2, T1 \
	VPMULUDQ Y15, D2, U1 \
	VPBROADCASTD K(SI), Y15 \
	VPSHUFD  $0xF5, T1, C0 \
	VPSHUFD  $0xF5, U1, D0 \
	VPXOR    Y15, C1, C1 \
	VPXOR    Y15, D1, D1 \
	VPBROADCASTD (K+4)(SI), Y15 \
	VPSHUFD  $0xF5, T0, C2 \
	VPSHUFD  $0xF5, U0, D2 \
	VPXOR    Y15, C3, C3 \
	VPXOR    Y15, D3, D3 \
	VPXOR    C1, C0, C0 \
	VPXOR    D1, D0, D0 \
	VPXOR    C3, C2, C2 \
	VPXOR    D3, D2, D2

// Two rounds of both sets.
#define ROUNDS256(K) \
	ROUND256(K, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11) \
	ROUND256(K+8, Y0, Y5, Y2, Y4, Y3, Y1, Y6, Y11, Y8, Y10, Y9, Y7)

// The words of four blocks from C0 … C3 to OFFSET of DI, through T0 and T1.
#define STORE256(OFFSET, C0, C1, C2, C3, T0, T1) \
	VMOVSLDUP   C1, C1 \
	VMOVSLDUP   C3, C3 \
	VPBLENDD    $0xAA, C1, C0, C0 \
	VPBLENDD    $0xAA, C3, C2, C2 \
	VPUNPCKLQDQ C2, C0, T0 \
	VPUNPCKHQDQ C2, C0, T1 \
	VMOVDQU     T0, OFFSET(DI) \
	VMOVDQU     T1, (OFFSET+32)(DI)

// func fillAVX2(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration, purpose uint32)
//
// Registers through the loop over 8 blocks:
//   DI dst   CX blocks left   SI keys   AX iteration   BX purpose
//   Y13 block numbers   Y14 m0
TEXT ·fillAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ keys+16(FP), SI
	VPBROADCASTQ firstBlock+24(FP), Y13
	VPADDQ       order256<>(SB), Y13, Y13
	MOVL iteration+32(FP), AX
	MOVL purpose+36(FP), BX
	VPBROADCASTD constants<>+0(SB), Y14

blocks8:
	VPBROADCASTQ constants<>+16(SB), Y15
	VMOVDQA Y13, Y0
	VPADDQ  Y15, Y0, Y6
	VPADDQ  Y15, Y6, Y13
	VMOVD   AX, X1
	VPBROADCASTD X1, Y1
	VMOVDQA Y1, Y7
	VMOVD   BX, X2
	VPBROADCASTD X2, Y2
	VMOVDQA Y2, Y8
	VPSRLQ  $32, Y0, Y3
	VPSRLQ  $32, Y6, Y9
	ROUNDS256(0)
	ROUNDS256(16)
	ROUNDS256(32)
	ROUNDS256(48)
	ROUNDS256(64)
	STORE256(0, Y0, Y1, Y2, Y3, Y4, Y5)
	STORE256(64, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDQ $128, DI
	SUBQ $8, CX
	JNE  blocks8
	VZEROUPPER
	RET
