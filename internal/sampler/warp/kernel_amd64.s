//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// The lanes in use of a step of 16 tokens, CX of them left, in K7. R12 holds
// 0xFFFF. Rubbish in R13.
#define LANES \
	MOVQ $-1, R13 \
	BZHIQ CX, R13, R13 \
	CMPQ CX, $16 \
	CMOVQGE R12, R13 \
	KMOVW R13, K7

// func warpStepAVX512(z, own, proposal, x *uint32, n int, cells *topicCell, each bool, prior float32)
TEXT ·warpStepAVX512(SB), NOSPLIT, $0-56
	MOVQ z+0(FP), DI
	MOVQ own+8(FP), SI
	MOVQ proposal+16(FP), BX
	MOVQ x+24(FP), DX
	MOVQ n+32(FP), CX
	MOVQ cells+40(FP), R8
	MOVBLZX each+48(FP), R9
	VBROADCASTSS prior+52(FP), Z16
	VPTERNLOGD $0xFF, Z17, Z17, Z17 // -1
	MOVL $0x33800000, AX            // 2^-24
	VPBROADCASTD AX, Z18
	VMOVAPS Z16, Z10
	VMOVAPS Z16, Z11
	MOVL $0xFFFF, R12
	XORQ AX, AX

step:
	LANES
	VMOVDQU32.Z (DI)(AX*4), K7, Z0
	VMOVDQU32.Z (BX)(AX*4), K7, Z1
	VMOVDQU32.Z (SI)(AX*4), K7, Z2
	VPSLLD $1, Z0, Z8 // cells of 16 bytes
	VPSLLD $1, Z1, Z9
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	KXNORW K0, K0, K1
	KXNORW K0, K0, K2
	KXNORW K0, K0, K3
	KXNORW K0, K0, K4
	VPGATHERDD topicCell_n(R8)(Z8*8), K1, Z3
	VPGATHERDD topicCell_n(R8)(Z9*8), K2, Z4
	VGATHERDPS topicCell_inv(R8)(Z8*8), K3, Z5
	VGATHERDPS topicCell_inv(R8)(Z9*8), K4, Z6
	TESTL R9, R9
	JE    same
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	KXNORW K0, K0, K1
	KXNORW K0, K0, K2
	VGATHERDPS topicCell_prior(R8)(Z8*8), K1, Z10
	VGATHERDPS topicCell_prior(R8)(Z9*8), K2, Z11

same:
	VPCMPEQD Z0, Z2, K5
	VPCMPEQD Z1, Z2, K6
	VPADDD Z17, Z3, K5, Z3
	VPADDD Z17, Z4, K6, Z4
	VCVTDQ2PS Z3, Z3
	VCVTDQ2PS Z4, Z4
	VADDPS Z10, Z3, Z3
	VADDPS Z11, Z4, Z4
	VMULPS Z5, Z3, Z3 // f(s)
	VMULPS Z6, Z4, Z4 // f(t)
	VMOVDQU32.Z (DX)(AX*4), K7, Z7
	VPSRLD $8, Z7, Z7
	VCVTDQ2PS Z7, Z7
	VMULPS Z18, Z7, Z7
	VMULPS Z3, Z7, Z7
	VCMPPS $1, Z4, Z7, K7, K5 // u f(s) < f(t)
	VMOVDQU32 Z1, K5, (DI)(AX*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  step
	VZEROUPPER
	RET

// Upper halves of the 64-bit products of y in Z0 with Z1, shifted right by X2:
// place of each lane in Z3. Rubbish in Z4.
#define PLACES \
	VPMULUDQ Z0, Z1, Z3; \
	VPSRLQ $32, Z0, Z4; \
	VPMULUDQ Z4, Z1, Z4; \
	VPSRLQ X2, Z3, Z3; \
	VPSRLQ X2, Z4, Z4; \
	VPSLLQ $32, Z4, Z4; \
	VPORD Z4, Z3, Z3

// func warpDrawAVX512(proposal, x, y, places *uint32, n int, mix *warpMix, topics uint32, threshold, other *uint32)
TEXT ·warpDrawAVX512(SB), NOSPLIT, $0-72
	MOVQ proposal+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ places+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ mix+40(FP), AX
	MOVQ threshold+56(FP), R9
	MOVQ other+64(FP), R10
	VPBROADCASTD 0(AX), Z16 // cut
	MOVL 4(AX), R11
	VPBROADCASTQ R11, Z1    // mul
	VMOVD 8(AX), X2         // shift
	MOVL topics+48(FP), R11
	VPBROADCASTQ R11, Z17
	MOVL $255, R11
	VPBROADCASTD R11, Z18
	MOVL $0x9E3779B1, R11
	VPBROADCASTD R11, Z19
	MOVL $0xAAAA, R11
	KMOVW R11, K6 // odd lanes
	MOVL $0xFFFF, R12
	XORQ AX, AX

draw:
	LANES
	VMOVDQU32.Z (DX)(AX*4), K7, Z0
	PLACES
	VPCMPUD $1, Z16, Z0, K7, K1 // y < cut
	KANDNW K7, K1, K2
	KORTESTW K2, K2
	VPXORD Z5, Z5, Z5
	VPGATHERDD (BX)(Z3*4), K1, Z5
	JE    drawn

	// From the prior: lanes of K2.
	VMOVDQU32.Z (SI)(AX*4), K2, Z6
	VPANDD Z6, Z18, Z6
	VPSLLD $8, Z0, Z7
	VPORD Z6, Z7, Z6
	VPMULLD Z19, Z6, Z6       // v
	VPSRLQ $32, Z6, Z7
	VPMULUDQ Z6, Z17, Z6      // v·K of even lanes
	VPMULUDQ Z7, Z17, Z7      // and of odd ones
	VPSRLQ $32, Z6, Z8
	VMOVDQA32 Z7, K6, Z8      // topics
	VMOVDQA32 Z8, K2, Z5
	TESTQ R9, R9
	JE    drawn
	VPSLLQ $32, Z7, Z7
	VMOVDQA32 Z7, K6, Z6      // places in the columns
	KMOVW K2, K3
	VPXORD Z9, Z9, Z9
	VPGATHERDD (R9)(Z8*4), K3, Z9
	VPCMPUD $5, Z9, Z6, K2, K3 // not below the threshold
	VPGATHERDD (R10)(Z8*4), K3, Z5

drawn:
	VMOVDQU32 Z5, K7, (DI)(AX*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  draw
	VZEROUPPER
	RET

// func warpExpandAVX512(dst, topics *uint32, n int, cells *topicCell)
TEXT ·warpExpandAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ topics+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ cells+24(FP), BX

topic:
	MOVL (SI), AX
	VPBROADCASTD AX, Z0
	SHLQ $4, AX
	MOVLQSX topicCell_n(BX)(AX*1), DX
	LEAQ (DI)(DX*4), R8
	VMOVDQU32 Z0, (DI)
	CMPQ DX, $16
	JGT  long

next:
	MOVQ R8, DI
	ADDQ $4, SI
	DECQ CX
	JNE  topic
	VZEROUPPER
	RET

long:
	ADDQ $64, DI
	VMOVDQU32 Z0, (DI)
	LEAQ 64(DI), R9
	CMPQ R9, R8
	JLT  long
	JMP  next
