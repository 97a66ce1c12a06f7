// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources e190c3671b9cab315751646ef14c1c10. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func addDenseNEON(a *addArgs)
TEXT ·addDenseNEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xf9401008 // ldr x8, [x0, #32]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x54000ceb // b.lt BB1_5
	WORD $0xf9400c0e // ldr x14, [x0, #24]
	WORD $0xf9401409 // ldr x9, [x0, #40]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xa940300a // ldp x10, x12, [x0]
	WORD $0x8b0901cb // add x11, x14, x9
	WORD $0xb9403009 // ldr w9, [x0, #48]
	WORD $0xd100056b // sub x11, x11, #1
	WORD $0x14000006 // b BB1_3
	WORD $0xf940100f // BB1_2: ldr x15, [x0, #32]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0x8b4d1dce // add x14, x14, x13, lsr #7
	WORD $0xeb0f051f // cmp x8, x15, lsl #1
	WORD $0x54000b4a // b.ge BB1_5
	WORD $0xeb0b01df // BB1_3: cmp x14, x11
	WORD $0xf940080d // ldr x13, [x0, #16]
	WORD $0x9a8b31cf // csel x15, x14, x11, lo
	WORD $0x39c001ef // ldrsb w15, [x15]
	WORD $0x386869ad // ldrb w13, [x13, x8]
	WORD $0x1b0f7d2f // mul w15, w9, w15
	WORD $0x924001b0 // and x16, x13, #0x1
	WORD $0xd34105b1 // ubfx x17, x13, #1, #1
	WORD $0x7100021f // cmp w16, #0
	WORD $0x8b1001d0 // add x16, x14, x16
	WORD $0xd34209a1 // ubfx x1, x13, #2, #1
	WORD $0xd3430da2 // ubfx x2, x13, #3, #1
	WORD $0xd34411a3 // ubfx x3, x13, #4, #1
	WORD $0xd34515a4 // ubfx x4, x13, #5, #1
	WORD $0x1a8f03ee // csel w14, wzr, w15, eq
	WORD $0xeb0b021f // cmp x16, x11
	WORD $0xd34619a5 // ubfx x5, x13, #6, #1
	WORD $0x9a8b320f // csel x15, x16, x11, lo
	WORD $0x7100023f // cmp w17, #0
	WORD $0x8b110211 // add x17, x16, x17
	WORD $0x39c001ef // ldrsb w15, [x15]
	WORD $0x1e2701c0 // fmov s0, w14
	WORD $0x1b0f7d2f // mul w15, w9, w15
	WORD $0x1a8f03f0 // csel w16, wzr, w15, eq
	WORD $0xeb0b023f // cmp x17, x11
	WORD $0x9a8b322f // csel x15, x17, x11, lo
	WORD $0x7100003f // cmp w1, #0
	WORD $0x8b010231 // add x17, x17, x1
	WORD $0x39c001ef // ldrsb w15, [x15]
	WORD $0x4e0c1e00 // mov v0.s[1], w16
	WORD $0x1b0f7d2f // mul w15, w9, w15
	WORD $0x1a8f03ef // csel w15, wzr, w15, eq
	WORD $0xeb0b023f // cmp x17, x11
	WORD $0x9a8b3221 // csel x1, x17, x11, lo
	WORD $0x7100005f // cmp w2, #0
	WORD $0x8b020222 // add x2, x17, x2
	WORD $0x39c00021 // ldrsb w1, [x1]
	WORD $0x4e141de0 // mov v0.s[2], w15
	WORD $0x13001daf // sxtb w15, w13
	WORD $0x1b017d21 // mul w1, w9, w1
	WORD $0x1a8103f1 // csel w17, wzr, w1, eq
	WORD $0xeb0b005f // cmp x2, x11
	WORD $0x9a8b3041 // csel x1, x2, x11, lo
	WORD $0x7100007f // cmp w3, #0
	WORD $0x8b030042 // add x2, x2, x3
	WORD $0x39c00021 // ldrsb w1, [x1]
	WORD $0x4e1c1e20 // mov v0.s[3], w17
	WORD $0x1b017d21 // mul w1, w9, w1
	WORD $0x1a8103e1 // csel w1, wzr, w1, eq
	WORD $0xeb0b005f // cmp x2, x11
	WORD $0x9a8b3043 // csel x3, x2, x11, lo
	WORD $0x7100009f // cmp w4, #0
	WORD $0x8b040042 // add x2, x2, x4
	WORD $0x39c00063 // ldrsb w3, [x3]
	WORD $0x1e270021 // fmov s1, w1
	WORD $0x8b05004e // add x14, x2, x5
	WORD $0x1b037d23 // mul w3, w9, w3
	WORD $0x1a8303e3 // csel w3, wzr, w3, eq
	WORD $0xeb0b005f // cmp x2, x11
	WORD $0x9a8b3044 // csel x4, x2, x11, lo
	WORD $0x710000bf // cmp w5, #0
	WORD $0x4e0c1c61 // mov v1.s[1], w3
	WORD $0x39c00084 // ldrsb w4, [x4]
	WORD $0x1b047d24 // mul w4, w9, w4
	WORD $0x1a8403f0 // csel w16, wzr, w4, eq
	WORD $0xeb0b01df // cmp x14, x11
	WORD $0x9a8b31c1 // csel x1, x14, x11, lo
	WORD $0x4e141e01 // mov v1.s[2], w16
	WORD $0x710001ff // cmp w15, #0
	WORD $0x39c00021 // ldrsb w1, [x1]
	WORD $0x8b08154f // add x15, x10, x8, lsl #5
	WORD $0x1b017d21 // mul w1, w9, w1
	WORD $0xad400de2 // ldp q2, q3, [x15]
	WORD $0x1a81a3f0 // csel w16, wzr, w1, ge
	WORD $0x4ea28402 // add v2.4s, v0.4s, v2.4s
	WORD $0x4e1c1e01 // mov v1.s[3], w16
	WORD $0x4ea38423 // add v3.4s, v1.4s, v3.4s
	WORD $0xad000de2 // stp q2, q3, [x15]
	WORD $0xb4fff5ac // cbz x12, BB1_2
	WORD $0xad400d82 // ldp q2, q3, [x12]
	WORD $0xad411185 // ldp q5, q4, [x12, #32]
	WORD $0x0ea01042 // saddw v2.2d, v2.2d, v0.2s
	WORD $0x4ea01060 // saddw2 v0.2d, v3.2d, v0.4s
	WORD $0x4ea11083 // saddw2 v3.2d, v4.2d, v1.4s
	WORD $0x0ea110a1 // saddw v1.2d, v5.2d, v1.2s
	WORD $0xad000182 // stp q2, q0, [x12]
	WORD $0xad010d81 // stp q1, q3, [x12, #32]
	WORD $0x9101018c // add x12, x12, #64
	WORD $0x17ffffa3 // b BB1_2
	RET

// func packDenseNEON(set *byte, values *byte, delta *int32, groups int, most *uint32) (n int)
TEXT ·packDenseNEON(SB), 0, $144-48
	MOVD set+0(FP), R0
	MOVD values+8(FP), R1
	MOVD delta+16(FP), R2
	MOVD groups+24(FP), R3
	MOVD most+32(FP), R4
	WORD $0xf100047f // cmp x3, #1
	WORD $0x5400082b // b.lt BB0_4
	WORD $0xf81d0ff7 // str x23, [sp, #-48]!
	WORD $0xd37ff869 // lsl x9, x3, #1
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xa90157f6 // stp x22, x21, [sp, #16]
	WORD $0xf100053f // cmp x9, #1
	WORD $0xa9024ff4 // stp x20, x19, [sp, #32]
	WORD $0x9a9fc529 // csinc x9, x9, xzr, gt
	WORD $0x29402c4a // BB0_2: ldp w10, w11, [x2]
	WORD $0x3828682a // strb w10, [x1, x8]
	WORD $0x7100015f // cmp w10, #0
	WORD $0x1a9f07ef // cset w15, ne
	WORD $0x9a88050c // cinc x12, x8, ne
	WORD $0x7100017f // cmp w11, #0
	WORD $0x1a9f07f0 // cset w16, ne
	WORD $0x9a8c058e // cinc x14, x12, ne
	WORD $0x382c682b // strb w11, [x1, x12]
	WORD $0x2a1005ef // orr w15, w15, w16, lsl #1
	WORD $0x2941404d // ldp w13, w16, [x2, #8]
	WORD $0x382e682d // strb w13, [x1, x14]
	WORD $0x710001bf // cmp w13, #0
	WORD $0x1a9f07f1 // cset w17, ne
	WORD $0x9a8e05c3 // cinc x3, x14, ne
	WORD $0x7100021f // cmp w16, #0
	WORD $0x2a1109ef // orr w15, w15, w17, lsl #2
	WORD $0x1a9f07e5 // cset w5, ne
	WORD $0x9a830466 // cinc x6, x3, ne
	WORD $0x38236830 // strb w16, [x1, x3]
	WORD $0x2a050def // orr w15, w15, w5, lsl #3
	WORD $0x29421451 // ldp w17, w5, [x2, #16]
	WORD $0x38266831 // strb w17, [x1, x6]
	WORD $0x7100023f // cmp w17, #0
	WORD $0x1a9f07e7 // cset w7, ne
	WORD $0x9a8604d3 // cinc x19, x6, ne
	WORD $0x710000bf // cmp w5, #0
	WORD $0x2a0711ef // orr w15, w15, w7, lsl #4
	WORD $0x1a9f07f4 // cset w20, ne
	WORD $0x9a930675 // cinc x21, x19, ne
	WORD $0x38336825 // strb w5, [x1, x19]
	WORD $0x2a1415ef // orr w15, w15, w20, lsl #5
	WORD $0x29435047 // ldp w7, w20, [x2, #24]
	WORD $0x38356827 // strb w7, [x1, x21]
	WORD $0x710000ff // cmp w7, #0
	WORD $0x1a9f07f6 // cset w22, ne
	WORD $0x9a9506b7 // cinc x23, x21, ne
	WORD $0x7100029f // cmp w20, #0
	WORD $0x2a1619ef // orr w15, w15, w22, lsl #6
	WORD $0x1a9f07f6 // cset w22, ne
	WORD $0x9a9706e8 // cinc x8, x23, ne
	WORD $0xf1000529 // subs x9, x9, #1
	WORD $0x38376834 // strb w20, [x1, x23]
	WORD $0x2a161def // orr w15, w15, w22, lsl #7
	WORD $0x3800140f // strb w15, [x0], #1
	WORD $0xacc10843 // ldp q3, q2, [x2], #32
	WORD $0x4ea0b863 // abs v3.4s, v3.4s
	WORD $0x4ea0b842 // abs v2.4s, v2.4s
	WORD $0x6ea16441 // umax v1.4s, v2.4s, v1.4s
	WORD $0x6ea06460 // umax v0.4s, v3.4s, v0.4s
	WORD $0x54fff9c1 // b.ne BB0_2
	WORD $0xa9424ff4 // ldp x20, x19, [sp, #32]
	WORD $0xa94157f6 // ldp x22, x21, [sp, #16]
	WORD $0xf84307f7 // ldr x23, [sp], #48
	WORD $0x14000004 // b BB0_5
	WORD $0x6f00e400 // BB0_4: movi v0.2d, #0000000000000000
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x6ea16400 // BB0_5: umax v0.4s, v0.4s, v1.4s
	WORD $0xaa0803e0 // mov x0, x8
	WORD $0x6eb0a800 // umaxv s0, v0.4s
	WORD $0xbd000080 // str s0, [x4]
	MOVD R0, n+40(FP)
	RET
