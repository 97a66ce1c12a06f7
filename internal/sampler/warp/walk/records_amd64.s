//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

DATA lanes<>+0(SB)/4, $0
DATA lanes<>+4(SB)/4, $1
DATA lanes<>+8(SB)/4, $2
DATA lanes<>+12(SB)/4, $3
DATA lanes<>+16(SB)/4, $4
DATA lanes<>+20(SB)/4, $5
DATA lanes<>+24(SB)/4, $6
DATA lanes<>+28(SB)/4, $7
DATA lanes<>+32(SB)/4, $8
DATA lanes<>+36(SB)/4, $9
DATA lanes<>+40(SB)/4, $10
DATA lanes<>+44(SB)/4, $11
DATA lanes<>+48(SB)/4, $12
DATA lanes<>+52(SB)/4, $13
DATA lanes<>+56(SB)/4, $14
DATA lanes<>+60(SB)/4, $15
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// The lanes in use of a vector of eight records, N tokens left, in MASK. Y17 holds
// the numbers of the lanes. Rubbish in Y19.
#define LANES8(N, MASK) \
	VPBROADCASTD N, Y19 \
	VPCMPGTD Y17, Y19, MASK

// The width of a topic in the records of AX, two and three times as much, in X20,
// X21 and X22, and the mask of a topic in Z16. Rubbish in R14 and R15.
#define WIDTHS \
	MOVQ recordArgs_width(AX), R15 \
	MOVQ $-1, R14 \
	BZHIQ R15, R14, R14 \
	VPBROADCASTQ R14, Z16 \
	VMOVQ R15, X20 \
	LEAQ (R15)(R15*1), R14 \
	VMOVQ R14, X21 \
	LEAQ (R15)(R15*2), R14 \
	VMOVQ R14, X22

// The columns of the eight records in Z0, with places in Y2 and blocks in Y3, at AX.
// Records of three topics have one bit left, which nobody reads.
#define UNPACK \
	VPSRLQ X20, Z0, Z4 \
	VPSRLQ X21, Z0, Z5 \
	VPSRLQ X22, Z0, Z6 \
	VPANDQ Z16, Z0, Z0 \
	VPANDQ Z16, Z4, Z4 \
	VPANDQ Z16, Z5, Z5 \
	VPMOVQD Z0, (R10)(AX*4) \
	VPMOVQD Z4, (R11)(AX*4) \
	VPMOVQD Z5, (R12)(AX*4) \
	VPMOVQD Z6, (R13)(AX*4) \
	VMOVDQU32 Y2, (R8)(AX*4) \
	VMOVDQU32 Y3, (R9)(AX*4)

// Eight records from the columns at AX in Z0. Rubbish in Z1, Z4, Z5.
#define PACK \
	VPMOVZXDQ (R10)(AX*4), Z0 \
	VPMOVZXDQ (R11)(AX*4), Z1 \
	VPMOVZXDQ (R12)(AX*4), Z4 \
	VPMOVZXDQ (R13)(AX*4), Z5 \
	VPSLLQ X20, Z1, Z1 \
	VPSLLQ X21, Z4, Z4 \
	VPSLLQ X22, Z5, Z5 \
	VPTERNLOGQ $0xFE, Z1, Z4, Z0 \
	VPORQ Z5, Z0, Z0

#define COLUMNS \
	WIDTHS \
	MOVQ recordArgs_records(AX), SI \
	MOVQ recordArgs_at(AX), R8 \
	MOVQ recordArgs_block(AX), R9 \
	MOVQ recordArgs_z(AX), R10 \
	MOVQ (recordArgs_proposal+0)(AX), R11 \
	MOVQ (recordArgs_proposal+8)(AX), R12 \
	MOVQ (recordArgs_proposal+16)(AX), R13 \
	MOVQ recordArgs_n(AX), CX

// func load64AVX512(a *warpRecords) int
TEXT ·load64AVX512(SB), NOSPLIT, $0-16
	MOVQ a+0(FP), AX
	COLUMNS
	MOVQ recordArgs_segments(AX), BX
	MOVQ recordArgs_begins(AX), DX
	VMOVDQU32 lanes<>(SB), Y17
	MOVL $8, R15
	VPBROADCASTD R15, Y18
	XORQ AX, AX // tokens so far

segment:
	MOVL Segment_Block(BX), R15
	MOVL Segment_Begin(BX), DI
	MOVL Segment_N(BX), R14
	VPBROADCASTD R15, Y3
	VPBROADCASTD DI, Y2
	VPADDD Y17, Y2, Y2
	ADDQ (DX)(R15*8), DI
	LEAQ (SI)(DI*8), DI

vector:
	LANES8(R14, K1)
	VMOVDQU64.Z (DI), K1, Z0
	UNPACK
	CMPQ R14, $8
	JGT  more
	ADDQ R14, AX
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment
	MOVQ AX, ret+8(FP)
	VZEROUPPER
	RET

more:
	ADDQ $8, AX
	ADDQ $64, DI
	SUBQ $8, R14
	VPADDD Y18, Y2, Y2
	JMP  vector

// func store64AVX512(a *warpRecords)
TEXT ·store64AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS
	MOVQ recordArgs_segments(AX), BX
	MOVQ recordArgs_begins(AX), DX
	VMOVDQU32 lanes<>(SB), Y17
	XORQ AX, AX

segment:
	MOVL Segment_Block(BX), R15
	MOVL Segment_Begin(BX), DI
	MOVL Segment_N(BX), R14
	ADDQ (DX)(R15*8), DI
	LEAQ (SI)(DI*8), DI

vector:
	LANES8(R14, K1)
	PACK
	VMOVDQU64 Z0, K1, (DI)
	CMPQ R14, $8
	JGT  more
	ADDQ R14, AX
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment
	VZEROUPPER
	RET

more:
	ADDQ $8, AX
	ADDQ $64, DI
	SUBQ $8, R14
	JMP  vector

// func loadDoc64AVX512(a *warpRecords)
TEXT ·loadDoc64AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS
	MOVQ recordArgs_places(AX), BX
	VPBROADCASTD recordArgs_number(AX), Y3
	VMOVDQU32 lanes<>(SB), Y17
	XORQ AX, AX

vector:
	LANES8(CX, K1)
	VPMOVZXWD.Z (BX)(AX*2), K1, Y2
	VPXORQ Z0, Z0, Z0
	VPGATHERDQ (SI)(Y2*8), K1, Z0
	UNPACK
	ADDQ $8, AX
	SUBQ $8, CX
	JGT  vector
	VZEROUPPER
	RET

// func storeDoc64AVX512(a *warpRecords)
TEXT ·storeDoc64AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS
	VMOVDQU32 lanes<>(SB), Y17
	XORQ AX, AX

vector:
	LANES8(CX, K1)
	VMOVDQU32.Z (R8)(AX*4), K1, Y2
	PACK
	VPSCATTERDQ Z0, K1, (SI)(Y2*8)
	ADDQ $8, AX
	SUBQ $8, CX
	JGT  vector
	VZEROUPPER
	RET

// The lanes in use of a vector of sixteen records, as LANES8. Rubbish in Z19.
#define LANES16(N, MASK) \
	VPBROADCASTD N, Z19 \
	VPCMPGTD Z17, Z19, MASK

// UNPACK for the sixteen records of 32 bits in Z0, with places in Z2 and blocks in Z3:
// a topic and two proposals, of which a record of two topics has zeros.
#define UNPACK32 \
	VPSRLD X20, Z0, Z4 \
	VPSRLD X21, Z0, Z5 \
	VPANDD Z16, Z0, Z0 \
	VPANDD Z16, Z4, Z4 \
	VMOVDQU32 Z0, (R10)(AX*4) \
	VMOVDQU32 Z4, (R11)(AX*4) \
	VMOVDQU32 Z5, (R12)(AX*4) \
	VMOVDQU32 Z2, (R8)(AX*4) \
	VMOVDQU32 Z3, (R9)(AX*4)

// PACK for sixteen records of 32 bits. Rubbish in Z1.
#define PACK32 \
	VMOVDQU32 (R11)(AX*4), Z0 \
	VMOVDQU32 (R12)(AX*4), Z1 \
	VPSLLD X20, Z0, Z0 \
	VPSLLD X21, Z1, Z1 \
	VPORD (R10)(AX*4), Z0, Z0 \
	VPORD Z1, Z0, Z0

// COLUMNS for records of 32 bits.
#define COLUMNS32 \
	COLUMNS \
	VPBROADCASTD X16, Z16

// func load32AVX512(a *warpRecords) int
TEXT ·load32AVX512(SB), NOSPLIT, $0-16
	MOVQ a+0(FP), AX
	COLUMNS32
	MOVQ recordArgs_segments(AX), BX
	MOVQ recordArgs_begins(AX), DX
	VMOVDQU32 lanes<>(SB), Z17
	MOVL $16, R15
	VPBROADCASTD R15, Z18
	XORQ AX, AX // tokens so far

segment:
	MOVL Segment_Block(BX), R15
	MOVL Segment_Begin(BX), DI
	MOVL Segment_N(BX), R14
	VPBROADCASTD R15, Z3
	VPBROADCASTD DI, Z2
	VPADDD Z17, Z2, Z2
	ADDQ (DX)(R15*8), DI
	LEAQ (SI)(DI*4), DI

vector:
	LANES16(R14, K1)
	VMOVDQU32.Z (DI), K1, Z0
	UNPACK32
	CMPQ R14, $16
	JGT  more
	ADDQ R14, AX
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment
	MOVQ AX, ret+8(FP)
	VZEROUPPER
	RET

more:
	ADDQ $16, AX
	ADDQ $64, DI
	SUBQ $16, R14
	VPADDD Z18, Z2, Z2
	JMP  vector

// func store32AVX512(a *warpRecords)
TEXT ·store32AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS32
	MOVQ recordArgs_segments(AX), BX
	MOVQ recordArgs_begins(AX), DX
	VMOVDQU32 lanes<>(SB), Z17
	XORQ AX, AX

segment:
	MOVL Segment_Block(BX), R15
	MOVL Segment_Begin(BX), DI
	MOVL Segment_N(BX), R14
	ADDQ (DX)(R15*8), DI
	LEAQ (SI)(DI*4), DI

vector:
	LANES16(R14, K1)
	PACK32
	VMOVDQU32 Z0, K1, (DI)
	CMPQ R14, $16
	JGT  more
	ADDQ R14, AX
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment
	VZEROUPPER
	RET

more:
	ADDQ $16, AX
	ADDQ $64, DI
	SUBQ $16, R14
	JMP  vector

// func loadDoc32AVX512(a *warpRecords)
TEXT ·loadDoc32AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS32
	MOVQ recordArgs_places(AX), BX
	VPBROADCASTD recordArgs_number(AX), Z3
	VMOVDQU32 lanes<>(SB), Z17
	XORQ AX, AX

vector:
	LANES16(CX, K1)
	VPMOVZXWD.Z (BX)(AX*2), K1, Z2
	VPXORD Z0, Z0, Z0
	VPGATHERDD (SI)(Z2*4), K1, Z0
	UNPACK32
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  vector
	VZEROUPPER
	RET

// func storeDoc32AVX512(a *warpRecords)
TEXT ·storeDoc32AVX512(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	COLUMNS32
	VMOVDQU32 lanes<>(SB), Z17
	XORQ AX, AX

vector:
	LANES16(CX, K1)
	VMOVDQU32.Z (R8)(AX*4), K1, Z2
	PACK32
	VPSCATTERDD Z0, K1, (SI)(Z2*4)
	ADDQ $16, AX
	SUBQ $16, CX
	JGT  vector
	VZEROUPPER
	RET

// func movedQuadsAVX512(dst *uint64, records unsafe.Pointer, begins *int, segments *Segment, n, most int) (moved, taken int)
TEXT ·movedQuadsAVX512(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), R8
	MOVQ records+8(FP), SI
	MOVQ begins+16(FP), DX
	MOVQ segments+24(FP), BX
	MOVQ n+32(FP), CX
	MOVQ most+40(FP), R10 // tokens that may still come
	MOVQ R8, R9
	VMOVDQU32 lanes<>(SB), Y17
	MOVQ $0xFFFF, R15
	VPBROADCASTQ R15, Z16

segment:
	MOVL Segment_N(BX), R14
	SUBQ R14, R10
	JLT  over
	MOVL Segment_Block(BX), R15
	MOVL Segment_Begin(BX), DI
	ADDQ (DX)(R15*8), DI
	LEAQ (SI)(DI*8), DI

vector:
	LANES8(R14, K1)
	VMOVDQU64.Z (DI), K1, Z0
	VPSRLQ $48, Z0, Z1
	VPXORQ Z0, Z1, Z1
	VPTESTMQ Z16, Z1, K1, K2 // the first number is not the last
	VPCOMPRESSQ.Z Z0, K2, Z2
	VMOVDQU64 Z2, (R8)
	KMOVW K2, AX
	POPCNTL AX, AX
	LEAQ (R8)(AX*8), R8
	CMPQ R14, $8
	JGT  more
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment

over:
	SUBQ R9, R8
	SHRQ $3, R8
	MOVQ R8, moved+48(FP)
	MOVQ n+32(FP), AX
	SUBQ CX, AX
	MOVQ AX, taken+56(FP)
	VZEROUPPER
	RET

more:
	ADDQ $64, DI
	SUBQ $8, R14
	JMP  vector

// func setDenseAVX512(row *int32, cells *topicCell, seen *uint32, groups int) (n, sum int)
TEXT ·setDenseAVX512(SB), NOSPLIT, $0-48
	MOVQ row+0(FP), SI
	MOVQ cells+8(FP), DI
	MOVQ seen+16(FP), R8
	MOVQ groups+24(FP), CX
	MOVQ R8, R9
	VMOVDQU32 lanes<>(SB), Z16
	VPADDD Z16, Z16, Z17 // cells in steps of 8 bytes
	MOVL $16, AX
	VPBROADCASTD AX, Z18
	VPXORQ Z4, Z4, Z4 // sum

group:
	VMOVDQU32 (SI), Z0
	VPTESTMD Z0, Z0, K1
	KMOVW K1, AX
	VPCOMPRESSD.Z Z16, K1, Z1
	VMOVDQU32 Z1, (R8)
	POPCNTL AX, AX
	LEAQ (R8)(AX*4), R8
	VPSCATTERDD Z0, K1, TopicCell_N(DI)(Z17*8)
	VPMOVSXDQ Y0, Z2
	VEXTRACTI64X4 $1, Z0, Y0
	VPMOVSXDQ Y0, Z3
	VPADDQ Z2, Z4, Z4
	VPADDQ Z3, Z4, Z4
	VPADDD Z18, Z16, Z16
	ADDQ $64, SI
	ADDQ $(16*TopicCell__size), DI
	DECQ CX
	JNE  group

	VEXTRACTI64X4 $1, Z4, Y0
	VPADDQ Y0, Y4, Y4
	VEXTRACTI128 $1, Y4, X0
	VPADDQ X0, X4, X4
	VPSRLDQ $8, X4, X0
	VPADDQ X0, X4, X4
	VMOVQ X4, sum+40(FP)
	SUBQ R9, R8
	SHRQ $2, R8
	MOVQ R8, n+32(FP)
	VZEROUPPER
	RET
