//go:build amd64 && !noasm

#include "go_asm.h"
#include "textflag.h"

// The cells at R10 of the topics in the record R9, of which CX bits each, mask R14:
// topic and two proposals. Rubbish in R11.
#define CELLS \
	MOVQ R9, R11 \
	ANDQ R14, R11 \
	SHLQ $4, R11 \
	PREFETCHT0 (R10)(R11*1) \
	SHRQ CX, R9 \
	MOVQ R9, R11 \
	ANDQ R14, R11 \
	SHLQ $4, R11 \
	PREFETCHT0 (R10)(R11*1) \
	SHRQ CX, R9 \
	ANDQ R14, R9 \
	SHLQ $4, R9 \
	PREFETCHT0 (R10)(R9*1)

// func prefetchRecords(records unsafe.Pointer, begins *int, segments *warpSegment, n int, shift uint64)
TEXT ·prefetchRecords(SB), NOSPLIT, $0-40
	MOVQ records+0(FP), SI
	MOVQ begins+8(FP), DX
	MOVQ segments+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ shift+32(FP), DI

segment:
	MOVL Segment_Block(BX), R8
	MOVL Segment_Begin(BX), R9
	ADDQ (DX)(R8*8), R9
	SHLXQ DI, R9, R9
	PREFETCHT0 (SI)(R9*1)
	ADDQ $Segment__size, BX
	DECQ CX
	JNE  segment
	RET

// func prefetchLines(p unsafe.Pointer, n int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	ADDQ SI, CX
	ANDQ $~63, SI

line:
	PREFETCHT1 (SI)
	ADDQ $64, SI
	CMPQ SI, CX
	JLT  line
	RET

// func prefetchCells64(records unsafe.Pointer, begins *int, segments *warpSegment, n int, cells *topicCell, width uint64)
TEXT ·prefetchCells64(SB), NOSPLIT, $0-48
	MOVQ records+0(FP), SI
	MOVQ begins+8(FP), DX
	MOVQ segments+16(FP), BX
	MOVQ n+24(FP), DI
	MOVQ cells+32(FP), R10
	MOVQ width+40(FP), CX
	MOVQ $-1, R14
	BZHIQ CX, R14, R14

segment:
	MOVL Segment_Block(BX), R8
	MOVL Segment_Begin(BX), R12
	MOVL Segment_N(BX), R13
	ADDQ (DX)(R8*8), R12

token:
	MOVQ (SI)(R12*8), R9
	CELLS
	INCQ R12
	DECQ R13
	JNE  token
	ADDQ $Segment__size, BX
	DECQ DI
	JNE  segment
	RET

// func prefetchDocCells64(records unsafe.Pointer, places *uint16, n int, cells *topicCell, width uint64)
TEXT ·prefetchDocCells64(SB), NOSPLIT, $0-40
	MOVQ records+0(FP), SI
	MOVQ places+8(FP), BX
	MOVQ n+16(FP), DI
	MOVQ cells+24(FP), R10
	MOVQ width+32(FP), CX
	MOVQ $-1, R14
	BZHIQ CX, R14, R14

token:
	MOVWLZX (BX), R12
	MOVQ (SI)(R12*8), R9
	CELLS
	ADDQ $2, BX
	DECQ DI
	JNE  token
	RET
