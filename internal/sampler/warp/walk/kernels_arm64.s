// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources c7a58086f934efbae1ab9da00726bda5. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func drawNEON(a *drawArgs)
TEXT ·drawNEON(SB), 0, $144-8
	MOVD a+0(FP), R0
	WORD $0xf9401002 // ldr x2, [x0, #32]
	WORD $0xf100045f // cmp x2, #1
	WORD $0x5400088b // b.lt BB1_13
	WORD $0xd10103ff // sub sp, sp, #64
	WORD $0xf9400009 // ldr x9, [x0]
	WORD $0x528f3630 // mov w16, #31153
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x2945280b // ldp w11, w10, [x0, #40]
	WORD $0x2946300d // ldp w13, w12, [x0, #48]
	WORD $0xaa1f03ee // mov x14, xzr
	WORD $0x910003ef // mov x15, sp
	WORD $0x72b3c6f0 // movk w16, #40503, lsl #16
	WORD $0xaa0903f1 // mov x17, x9
	WORD $0x14000007 // b BB1_3
	WORD $0xf9401002 // BB1_2: ldr x2, [x0, #32]
	WORD $0x91040231 // add x17, x17, #256
	WORD $0x91040108 // add x8, x8, #256
	WORD $0xaa0103ee // mov x14, x1
	WORD $0xeb02003f // cmp x1, x2
	WORD $0x5400064a // b.ge BB1_12
	WORD $0x910101c1 // BB1_3: add x1, x14, #64
	WORD $0xeb02003f // cmp x1, x2
	WORD $0x9a82b023 // csel x3, x1, x2, lt
	WORD $0xeb0e005f // cmp x2, x14
	WORD $0x54fffecd // b.le BB1_2
	WORD $0xaa1f03e2 // mov x2, xzr
	WORD $0xaa1f03e4 // mov x4, xzr
	WORD $0xa9411805 // BB1_5: ldp x5, x6, [x0, #16]
	WORD $0x382469e2 // strb w2, [x15, x4]
	WORD $0x8b0800a5 // add x5, x5, x8
	WORD $0xb86278a5 // ldr w5, [x5, x2, lsl #2]
	WORD $0x9baa7ca7 // umull x7, w5, w10
	WORD $0x6b0b00bf // cmp w5, w11
	WORD $0x9acd24e7 // lsr x7, x7, x13
	WORD $0x9a9f30e7 // csel x7, x7, xzr, lo
	WORD $0xb86778c7 // ldr w7, [x6, x7, lsl #2]
	WORD $0xaa0403e6 // mov x6, x4
	WORD $0x9a843484 // cinc x4, x4, hs
	WORD $0xb8227a27 // str w7, [x17, x2, lsl #2]
	WORD $0x91000442 // add x2, x2, #1
	WORD $0x8b0201c7 // add x7, x14, x2
	WORD $0xeb0300ff // cmp x7, x3
	WORD $0x54fffe2b // b.lt BB1_5
	WORD $0xb4fffc64 // cbz x4, BB1_2
	WORD $0x6b0b00bf // cmp w5, w11
	WORD $0x910003e3 // mov x3, sp
	WORD $0x9a8634c2 // cinc x2, x6, hs
	WORD $0x14000004 // b BB1_9
	WORD $0xf1000442 // BB1_8: subs x2, x2, #1
	WORD $0xb8247925 // str w5, [x9, x4, lsl #2]
	WORD $0x54fffb80 // b.eq BB1_2
	WORD $0x38401464 // BB1_9: ldrb w4, [x3], #1
	WORD $0xa9409807 // ldp x7, x6, [x0, #8]
	WORD $0x8b0401c4 // add x4, x14, x4
	WORD $0xd37ef485 // lsl x5, x4, #2
	WORD $0xb86478c6 // ldr w6, [x6, x4, lsl #2]
	WORD $0x386568e5 // ldrb w5, [x7, x5]
	WORD $0xf9401c07 // ldr x7, [x0, #56]
	WORD $0x2a0620a5 // orr w5, w5, w6, lsl #8
	WORD $0x1b107ca5 // mul w5, w5, w16
	WORD $0x9ba57d86 // umull x6, w12, w5
	WORD $0xd360fcc5 // lsr x5, x6, #32
	WORD $0xb4fffe47 // cbz x7, BB1_8
	WORD $0xb86578e7 // ldr w7, [x7, x5, lsl #2]
	WORD $0x6b0600ff // cmp w7, w6
	WORD $0x54fffde8 // b.hi BB1_8
	WORD $0xf9402006 // ldr x6, [x0, #64]
	WORD $0xb86578c5 // ldr w5, [x6, x5, lsl #2]
	WORD $0x17ffffec // b BB1_8
	WORD $0x910103ff // BB1_12: add sp, sp, #64
	RET

// func expandNEON(dst *uint32, topics *uint32, n int, cells *TopicCell)
TEXT ·expandNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD topics+8(FP), R1
	MOVD n+16(FP), R2
	MOVD cells+24(FP), R3
	WORD $0xf100045f // cmp x2, #1
	WORD $0x5400020b // b.lt BB2_5
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xb868782a // BB2_2: ldr w10, [x1, x8, lsl #2]
	WORD $0xd37ced49 // lsl x9, x10, #4
	WORD $0x4e040d40 // dup v0.4s, w10
	WORD $0xb8a9686b // ldrsw x11, [x3, x9]
	WORD $0xaa0003e9 // mov x9, x0
	WORD $0x8b0b0800 // add x0, x0, x11, lsl #2
	WORD $0xad000120 // BB2_3: stp q0, q0, [x9]
	WORD $0xad010120 // stp q0, q0, [x9, #32]
	WORD $0x91010129 // add x9, x9, #64
	WORD $0xeb00013f // cmp x9, x0
	WORD $0x54ffff83 // b.lo BB2_3
	WORD $0x91000508 // add x8, x8, #1
	WORD $0xeb02011f // cmp x8, x2
	WORD $0x54fffe61 // b.ne BB2_2
	RET

// func load32NEON(a *recordArgs) int
TEXT ·load32NEON(SB), 0, $144-16
	MOVD a+0(FP), R0
	WORD $0xf9402803 // ldr x3, [x0, #80]
	WORD $0xf100047f // cmp x3, #1
	WORD $0x5400076b // b.lt BB1_8
	WORD $0xa9be57f6 // stp x22, x21, [sp, #-32]!
	WORD $0xf940300a // ldr x10, [x0, #96]
	WORD $0x9280000d // mov x13, #-1
	WORD $0xf940140f // ldr x15, [x0, #40]
	WORD $0xa940b00b // ldp x11, x12, [x0, #8]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x9aca21b0 // lsl x16, x13, x10
	WORD $0xa941b80d // ldp x13, x14, [x0, #24]
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x52800191 // mov w17, #12
	WORD $0xa9014ff4 // stp x20, x19, [sp, #16]
	WORD $0xaa3003f0 // mvn x16, x16
	WORD $0x14000006 // b BB1_4
	WORD $0xf9402803 // BB1_2: ldr x3, [x0, #80]
	WORD $0x8b020108 // add x8, x8, x2
	WORD $0x91000529 // BB1_3: add x9, x9, #1
	WORD $0xeb03013f // cmp x9, x3
	WORD $0x540004aa // b.ge BB1_7
	WORD $0xf9401c01 // BB1_4: ldr x1, [x0, #56]
	WORD $0x9b110521 // madd x1, x9, x17, x1
	WORD $0xb9400822 // ldr w2, [x1, #8]
	WORD $0x34ffff42 // cbz w2, BB1_3
	WORD $0x29401424 // ldp w4, w5, [x1]
	WORD $0xf9402003 // ldr x3, [x0, #64]
	WORD $0xd37ef513 // lsl x19, x8, #2
	WORD $0xaa1f03e2 // mov x2, xzr
	WORD $0xf8647863 // ldr x3, [x3, x4, lsl #3]
	WORD $0x8b130164 // add x4, x11, x19
	WORD $0x8b1301a6 // add x6, x13, x19
	WORD $0x8b1301c7 // add x7, x14, x19
	WORD $0xd37ef463 // lsl x3, x3, #2
	WORD $0x8b050863 // add x3, x3, x5, lsl #2
	WORD $0x8b130185 // add x5, x12, x19
	WORD $0x8b1301f3 // add x19, x15, x19
	WORD $0xf9400014 // BB1_6: ldr x20, [x0]
	WORD $0x29405436 // ldp w22, w21, [x1]
	WORD $0x8b030294 // add x20, x20, x3
	WORD $0xb8627a94 // ldr w20, [x20, x2, lsl #2]
	WORD $0x0b150055 // add w21, w2, w21
	WORD $0xb8227895 // str w21, [x4, x2, lsl #2]
	WORD $0x9aca2695 // lsr x21, x20, x10
	WORD $0x0a100294 // and w20, w20, w16
	WORD $0xb82278b6 // str w22, [x5, x2, lsl #2]
	WORD $0xb82278d4 // str w20, [x6, x2, lsl #2]
	WORD $0x9aca26b4 // lsr x20, x21, x10
	WORD $0x0a1002b5 // and w21, w21, w16
	WORD $0xb82278f5 // str w21, [x7, x2, lsl #2]
	WORD $0x0a100294 // and w20, w20, w16
	WORD $0xb8227a74 // str w20, [x19, x2, lsl #2]
	WORD $0x91000442 // add x2, x2, #1
	WORD $0xb9400834 // ldr w20, [x1, #8]
	WORD $0xeb14005f // cmp x2, x20
	WORD $0x54fffdc3 // b.lo BB1_6
	WORD $0x17ffffd8 // b BB1_2
	WORD $0xa9414ff4 // BB1_7: ldp x20, x19, [sp, #16]
	WORD $0xa8c257f6 // ldp x22, x21, [sp], #32
	WORD $0xaa0803e0 // mov x0, x8
	WORD $0x14000002 // b end.load32
	WORD $0xaa1f03e0 // BB1_8: mov x0, xzr
	MOVD R0, ret+8(FP)
	RET

// func load64NEON(a *recordArgs) int
TEXT ·load64NEON(SB), 0, $144-16
	MOVD a+0(FP), R0
	WORD $0xf9402804 // ldr x4, [x0, #80]
	WORD $0xf100049f // cmp x4, #1
	WORD $0x5400080b // b.lt BB0_8
	WORD $0xa9bd5ff8 // stp x24, x23, [sp, #-48]!
	WORD $0xf940300a // ldr x10, [x0, #96]
	WORD $0x9280000d // mov x13, #-1
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xa940b00b // ldp x11, x12, [x0, #8]
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x9aca21b1 // lsl x17, x13, x10
	WORD $0xa941b80d // ldp x13, x14, [x0, #24]
	WORD $0xa942c00f // ldp x15, x16, [x0, #40]
	WORD $0x52800181 // mov w1, #12
	WORD $0xaa3103f1 // mvn x17, x17
	WORD $0xa90157f6 // stp x22, x21, [sp, #16]
	WORD $0xa9024ff4 // stp x20, x19, [sp, #32]
	WORD $0x14000006 // b BB0_4
	WORD $0xf9402804 // BB0_2: ldr x4, [x0, #80]
	WORD $0x8b030108 // add x8, x8, x3
	WORD $0x91000529 // BB0_3: add x9, x9, #1
	WORD $0xeb04013f // cmp x9, x4
	WORD $0x5400050a // b.ge BB0_7
	WORD $0xf9401c02 // BB0_4: ldr x2, [x0, #56]
	WORD $0x9b010922 // madd x2, x9, x1, x2
	WORD $0xb9400843 // ldr w3, [x2, #8]
	WORD $0x34ffff43 // cbz w3, BB0_3
	WORD $0x29401845 // ldp w5, w6, [x2]
	WORD $0xf9402004 // ldr x4, [x0, #64]
	WORD $0xd37ef515 // lsl x21, x8, #2
	WORD $0xaa1f03e3 // mov x3, xzr
	WORD $0xf8657884 // ldr x4, [x4, x5, lsl #3]
	WORD $0x8b150165 // add x5, x11, x21
	WORD $0x8b1501a7 // add x7, x13, x21
	WORD $0x8b1501d3 // add x19, x14, x21
	WORD $0x8b1501f4 // add x20, x15, x21
	WORD $0xd37df084 // lsl x4, x4, #3
	WORD $0x8b060c84 // add x4, x4, x6, lsl #3
	WORD $0x8b150186 // add x6, x12, x21
	WORD $0x8b150215 // add x21, x16, x21
	WORD $0xf9400016 // BB0_6: ldr x22, [x0]
	WORD $0x29405c58 // ldp w24, w23, [x2]
	WORD $0x8b0402d6 // add x22, x22, x4
	WORD $0xf8637ad6 // ldr x22, [x22, x3, lsl #3]
	WORD $0x0b170077 // add w23, w3, w23
	WORD $0xb82378b7 // str w23, [x5, x3, lsl #2]
	WORD $0x9aca26d7 // lsr x23, x22, x10
	WORD $0x0a1102d6 // and w22, w22, w17
	WORD $0xb82378d8 // str w24, [x6, x3, lsl #2]
	WORD $0xb82378f6 // str w22, [x7, x3, lsl #2]
	WORD $0x9aca26f6 // lsr x22, x23, x10
	WORD $0x0a1102f7 // and w23, w23, w17
	WORD $0xb8237a77 // str w23, [x19, x3, lsl #2]
	WORD $0x0a1102d7 // and w23, w22, w17
	WORD $0x9aca26d6 // lsr x22, x22, x10
	WORD $0xb8237a97 // str w23, [x20, x3, lsl #2]
	WORD $0xb8237ab6 // str w22, [x21, x3, lsl #2]
	WORD $0x91000463 // add x3, x3, #1
	WORD $0xb9400856 // ldr w22, [x2, #8]
	WORD $0xeb16007f // cmp x3, x22
	WORD $0x54fffd83 // b.lo BB0_6
	WORD $0x17ffffd5 // b BB0_2
	WORD $0xa9424ff4 // BB0_7: ldp x20, x19, [sp, #32]
	WORD $0xa94157f6 // ldp x22, x21, [sp, #16]
	WORD $0xa8c35ff8 // ldp x24, x23, [sp], #48
	WORD $0xaa0803e0 // mov x0, x8
	WORD $0x14000002 // b end.load64
	WORD $0xaa1f03e0 // BB0_8: mov x0, xzr
	MOVD R0, ret+8(FP)
	RET

// func loadDoc32NEON(a *recordArgs)
TEXT ·loadDoc32NEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400038b // b.lt BB5_3
	WORD $0xf9403009 // ldr x9, [x0, #96]
	WORD $0x9280000c // mov x12, #-1
	WORD $0xf940140e // ldr x14, [x0, #40]
	WORD $0xa940ac0a // ldp x10, x11, [x0, #8]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x9ac9218f // lsl x15, x12, x9
	WORD $0xa941b40c // ldp x12, x13, [x0, #24]
	WORD $0xaa2f03ef // mvn x15, x15
	WORD $0xf9402410 // BB5_2: ldr x16, [x0, #72]
	WORD $0xf9400011 // ldr x17, [x0]
	WORD $0xb9405801 // ldr w1, [x0, #88]
	WORD $0x78687a10 // ldrh w16, [x16, x8, lsl #1]
	WORD $0xb8705a31 // ldr w17, [x17, w16, uxtw #2]
	WORD $0xb8287950 // str w16, [x10, x8, lsl #2]
	WORD $0xb8287961 // str w1, [x11, x8, lsl #2]
	WORD $0x9ac92630 // lsr x16, x17, x9
	WORD $0x0a0f0231 // and w17, w17, w15
	WORD $0xb8287991 // str w17, [x12, x8, lsl #2]
	WORD $0x9ac92611 // lsr x17, x16, x9
	WORD $0x0a0f0210 // and w16, w16, w15
	WORD $0xb82879b0 // str w16, [x13, x8, lsl #2]
	WORD $0x0a0f0230 // and w16, w17, w15
	WORD $0xb82879d0 // str w16, [x14, x8, lsl #2]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0xf9402810 // ldr x16, [x0, #80]
	WORD $0xeb10011f // cmp x8, x16
	WORD $0x54fffdcb // b.lt BB5_2
	RET

// func loadDoc64NEON(a *recordArgs)
TEXT ·loadDoc64NEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x540003cb // b.lt BB4_3
	WORD $0xf9403009 // ldr x9, [x0, #96]
	WORD $0x9280000c // mov x12, #-1
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xa940ac0a // ldp x10, x11, [x0, #8]
	WORD $0x9ac92190 // lsl x16, x12, x9
	WORD $0xa941b40c // ldp x12, x13, [x0, #24]
	WORD $0xa942bc0e // ldp x14, x15, [x0, #40]
	WORD $0xaa3003f0 // mvn x16, x16
	WORD $0xf9402411 // BB4_2: ldr x17, [x0, #72]
	WORD $0xf9400001 // ldr x1, [x0]
	WORD $0xb9405802 // ldr w2, [x0, #88]
	WORD $0x78687a31 // ldrh w17, [x17, x8, lsl #1]
	WORD $0xf8715821 // ldr x1, [x1, w17, uxtw #3]
	WORD $0xb8287951 // str w17, [x10, x8, lsl #2]
	WORD $0xb8287962 // str w2, [x11, x8, lsl #2]
	WORD $0x9ac92431 // lsr x17, x1, x9
	WORD $0x0a100021 // and w1, w1, w16
	WORD $0xb8287981 // str w1, [x12, x8, lsl #2]
	WORD $0x9ac92621 // lsr x1, x17, x9
	WORD $0x0a100231 // and w17, w17, w16
	WORD $0xb82879b1 // str w17, [x13, x8, lsl #2]
	WORD $0x0a100031 // and w17, w1, w16
	WORD $0xb82879d1 // str w17, [x14, x8, lsl #2]
	WORD $0x9ac92431 // lsr x17, x1, x9
	WORD $0xb82879f1 // str w17, [x15, x8, lsl #2]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0xf9402811 // ldr x17, [x0, #80]
	WORD $0xeb11011f // cmp x8, x17
	WORD $0x54fffd8b // b.lt BB4_2
	RET

// func movedQuadsNEON(dst *uint64, a *movedArgs) int
TEXT ·movedQuadsNEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD a+8(FP), R1
	WORD $0xf9400c2a // ldr x10, [x1, #24]
	WORD $0xf100055f // cmp x10, #1
	WORD $0x540003cb // b.lt BB8_7
	WORD $0xa940342c // ldp x12, x13, [x1]
	WORD $0xaa0003e8 // mov x8, x0
	WORD $0xaa1f03e0 // mov x0, xzr
	WORD $0xaa1f03eb // mov x11, xzr
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x5280018e // mov w14, #12
	WORD $0x14000004 // b BB8_3
	WORD $0x91000529 // BB8_2: add x9, x9, #1
	WORD $0xeb0a013f // cmp x9, x10
	WORD $0x54000300 // b.eq BB8_9
	WORD $0x9b0e3530 // BB8_3: madd x16, x9, x14, x13
	WORD $0xb9400a0f // ldr w15, [x16, #8]
	WORD $0x8b0f016b // add x11, x11, x15
	WORD $0xf108017f // cmp x11, #512
	WORD $0x54000228 // b.hi BB8_8
	WORD $0x34ffff0f // cbz w15, BB8_2
	WORD $0x29404202 // ldp w2, w16, [x16]
	WORD $0xf9400831 // ldr x17, [x1, #16]
	WORD $0xf8627a31 // ldr x17, [x17, x2, lsl #3]
	WORD $0x8b110d91 // add x17, x12, x17, lsl #3
	WORD $0x8b100e30 // add x16, x17, x16, lsl #3
	WORD $0xf8408611 // BB8_6: ldr x17, [x16], #8
	WORD $0xf8207911 // str x17, [x8, x0, lsl #3]
	WORD $0x92403e22 // and x2, x17, #0xffff
	WORD $0xeb51c05f // cmp x2, x17, lsr #48
	WORD $0x9a800400 // cinc x0, x0, ne
	WORD $0xf10005ef // subs x15, x15, #1
	WORD $0x54ffff41 // b.ne BB8_6
	WORD $0x17ffffeb // b BB8_2
	WORD $0xaa1f03e9 // BB8_7: mov x9, xzr
	WORD $0xaa1f03e0 // mov x0, xzr
	WORD $0xf9001029 // BB8_8: str x9, [x1, #32]
	WORD $0x14000002 // b end.movedQuads
	WORD $0xf900102a // BB8_9: str x10, [x1, #32]
	MOVD R0, ret+16(FP)
	RET

// func prefetchCells64NEON(a *recordArgs, cells *TopicCell)
TEXT ·prefetchCells64NEON(SB), NOSPLIT, $0-16
	MOVD a+0(FP), R0
	MOVD cells+8(FP), R1
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400048b // b.lt BB11_6
	WORD $0xf940300a // ldr x10, [x0, #96]
	WORD $0x9280000b // mov x11, #-1
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x5280018f // mov w15, #12
	WORD $0x9aca216e // lsl x14, x11, x10
	WORD $0xa943b00b // ldp x11, x12, [x0, #56]
	WORD $0xd37ff94d // lsl x13, x10, #1
	WORD $0xaa2e03ee // mvn x14, x14
	WORD $0x14000004 // b BB11_3
	WORD $0x91000529 // BB11_2: add x9, x9, #1
	WORD $0xeb08013f // cmp x9, x8
	WORD $0x54000300 // b.eq BB11_6
	WORD $0x9b0f2d31 // BB11_3: madd x17, x9, x15, x11
	WORD $0xb9400a30 // ldr w16, [x17, #8]
	WORD $0x34ffff70 // cbz w16, BB11_2
	WORD $0x29404622 // ldp w2, w17, [x17]
	WORD $0xf9400003 // ldr x3, [x0]
	WORD $0xf8627982 // ldr x2, [x12, x2, lsl #3]
	WORD $0x8b020c62 // add x2, x3, x2, lsl #3
	WORD $0x8b110c51 // add x17, x2, x17, lsl #3
	WORD $0xf8408622 // BB11_5: ldr x2, [x17], #8
	WORD $0xf1000610 // subs x16, x16, #1
	WORD $0x9aca2443 // lsr x3, x2, x10
	WORD $0x9acd2444 // lsr x4, x2, x13
	WORD $0x8a0e0042 // and x2, x2, x14
	WORD $0x8b021022 // add x2, x1, x2, lsl #4
	WORD $0x8a0e0063 // and x3, x3, x14
	WORD $0x8a0e0084 // and x4, x4, x14
	WORD $0x8b031023 // add x3, x1, x3, lsl #4
	WORD $0x8b041024 // add x4, x1, x4, lsl #4
	WORD $0xf9800040 // prfm pldl1keep, [x2]
	WORD $0xf9800060 // prfm pldl1keep, [x3]
	WORD $0xf9800080 // prfm pldl1keep, [x4]
	WORD $0x54fffe61 // b.ne BB11_5
	WORD $0x17ffffe7 // b BB11_2
	RET

// func prefetchDocCells64NEON(a *recordArgs, cells *TopicCell)
TEXT ·prefetchDocCells64NEON(SB), NOSPLIT, $0-16
	MOVD a+0(FP), R0
	MOVD cells+8(FP), R1
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x540002eb // b.lt BB12_3
	WORD $0xf9403009 // ldr x9, [x0, #96]
	WORD $0x9280000a // mov x10, #-1
	WORD $0xf940240b // ldr x11, [x0, #72]
	WORD $0x9ac9214d // lsl x13, x10, x9
	WORD $0xf940000a // ldr x10, [x0]
	WORD $0xd37ff92c // lsl x12, x9, #1
	WORD $0xaa2d03ed // mvn x13, x13
	WORD $0x7840256e // BB12_2: ldrh w14, [x11], #2
	WORD $0xf1000508 // subs x8, x8, #1
	WORD $0xf86e794e // ldr x14, [x10, x14, lsl #3]
	WORD $0x9ac925cf // lsr x15, x14, x9
	WORD $0x9acc25d0 // lsr x16, x14, x12
	WORD $0x8a0d01ce // and x14, x14, x13
	WORD $0x8b0e102e // add x14, x1, x14, lsl #4
	WORD $0x8a0d01ef // and x15, x15, x13
	WORD $0x8a0d0210 // and x16, x16, x13
	WORD $0x8b0f102f // add x15, x1, x15, lsl #4
	WORD $0x8b101030 // add x16, x1, x16, lsl #4
	WORD $0xf98001c0 // prfm pldl1keep, [x14]
	WORD $0xf98001e0 // prfm pldl1keep, [x15]
	WORD $0xf9800200 // prfm pldl1keep, [x16]
	WORD $0x54fffe41 // b.ne BB12_2
	RET

// func prefetchLinesNEON(p unsafe.Pointer, n int)
TEXT ·prefetchLinesNEON(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	WORD $0x927ae408 // and x8, x0, #0xffffffffffffffc0
	WORD $0x8b010009 // add x9, x0, x1
	WORD $0xeb08013f // cmp x9, x8
	WORD $0x540000a9 // b.ls BB10_2
	WORD $0xf9800102 // BB10_1: prfm pldl2keep, [x8]
	WORD $0x91010108 // add x8, x8, #64
	WORD $0xeb09011f // cmp x8, x9
	WORD $0x54ffffa3 // b.lo BB10_1
	RET

// func prefetchRecordsNEON(a *recordArgs, shift uint64)
TEXT ·prefetchRecordsNEON(SB), NOSPLIT, $0-16
	MOVD a+0(FP), R0
	MOVD shift+8(FP), R1
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x540001ab // b.lt BB9_3
	WORD $0xa943a80b // ldp x11, x10, [x0, #56]
	WORD $0xf9400009 // ldr x9, [x0]
	WORD $0x9100116b // add x11, x11, #4
	WORD $0x297fb56c // BB9_2: ldp w12, w13, [x11, #-4]
	WORD $0xf1000508 // subs x8, x8, #1
	WORD $0x9100316b // add x11, x11, #12
	WORD $0xf86c794c // ldr x12, [x10, x12, lsl #3]
	WORD $0x8b0d018c // add x12, x12, x13
	WORD $0x9ac1218c // lsl x12, x12, x1
	WORD $0x8b0c012c // add x12, x9, x12
	WORD $0xf9800180 // prfm pldl1keep, [x12]
	WORD $0x54ffff01 // b.ne BB9_2
	RET

// func setDenseNEON(row *int32, cells *TopicCell, seen *uint32, topics int, sum *int) int
TEXT ·setDenseNEON(SB), NOSPLIT, $0-48
	MOVD row+0(FP), R0
	MOVD cells+8(FP), R1
	MOVD seen+16(FP), R2
	MOVD topics+24(FP), R3
	MOVD sum+32(FP), R4
	WORD $0xf100047f // cmp x3, #1
	WORD $0x540001cb // b.lt BB3_3
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xaa1f03ea // mov x10, xzr
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0xb8aa780b // BB3_2: ldrsw x11, [x0, x10, lsl #2]
	WORD $0xb828784a // str w10, [x2, x8, lsl #2]
	WORD $0x9100054a // add x10, x10, #1
	WORD $0xf100017f // cmp x11, #0
	WORD $0x8b0b0129 // add x9, x9, x11
	WORD $0x9a880508 // cinc x8, x8, ne
	WORD $0xeb0a007f // cmp x3, x10
	WORD $0xb801042b // str w11, [x1], #16
	WORD $0x54ffff01 // b.ne BB3_2
	WORD $0x14000003 // b BB3_4
	WORD $0xaa1f03e9 // BB3_3: mov x9, xzr
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xaa0803e0 // BB3_4: mov x0, x8
	WORD $0xf9000089 // str x9, [x4]
	MOVD R0, ret+40(FP)
	RET

// func stepNEON(a *stepArgs)
TEXT ·stepNEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xa940240b // ldp x11, x9, [x0]
	WORD $0x3940c00e // ldrb w14, [x0, #48]
	WORD $0xa941280c // ldp x12, x10, [x0, #16]
	WORD $0xa942200d // ldp x13, x8, [x0, #32]
	WORD $0x340000ae // cbz w14, BB0_3
	WORD $0xf10011bf // cmp x13, #4
	WORD $0x5400010a // b.ge BB0_5
	WORD $0xaa1f03e1 // mov x1, xzr
	WORD $0x14000047 // b BB0_7
	WORD $0xbd403400 // BB0_3: ldr s0, [x0, #52]
	WORD $0xf10011bf // cmp x13, #4
	WORD $0x54000d4a // b.ge BB0_10
	WORD $0xaa1f03e1 // mov x1, xzr
	WORD $0x140000a4 // b BB0_12
	WORD $0x52a6700e // BB0_5: mov w14, #864026624
	WORD $0xaa1f03e0 // mov x0, xzr
	WORD $0xaa0903ef // mov x15, x9
	WORD $0x4e040dc0 // dup v0.4s, w14
	WORD $0xaa0a03ee // mov x14, x10
	WORD $0xaa0c03f0 // mov x16, x12
	WORD $0xaa0b03f1 // mov x17, x11
	WORD $0x3dc00221 // BB0_6: ldr q1, [x17]
	WORD $0x3cc10602 // ldr q2, [x16], #16
	WORD $0x3cc105f5 // ldr q21, [x15], #16
	WORD $0x0e0c3c21 // mov w1, v1.s[1]
	WORD $0x0e143c22 // mov w2, v1.s[2]
	WORD $0x9e660024 // fmov x4, d1
	WORD $0x0e1c3c23 // mov w3, v1.s[3]
	WORD $0x0e1c3c45 // mov w5, v2.s[3]
	WORD $0x3ce45903 // ldr q3, [x8, w4, uxtw #4]
	WORD $0x0e0c3c44 // mov w4, v2.s[1]
	WORD $0x3ce15904 // ldr q4, [x8, w1, uxtw #4]
	WORD $0x3ce25905 // ldr q5, [x8, w2, uxtw #4]
	WORD $0x9e660042 // fmov x2, d2
	WORD $0x0e143c41 // mov w1, v2.s[2]
	WORD $0x3ce35906 // ldr q6, [x8, w3, uxtw #4]
	WORD $0x3ce55914 // ldr q20, [x8, w5, uxtw #4]
	WORD $0x4e843867 // zip1 v7.4s, v3.4s, v4.4s
	WORD $0x4e847863 // zip2 v3.4s, v3.4s, v4.4s
	WORD $0x3ce25910 // ldr q16, [x8, w2, uxtw #4]
	WORD $0x3ce45911 // ldr q17, [x8, w4, uxtw #4]
	WORD $0x4e8638b2 // zip1 v18.4s, v5.4s, v6.4s
	WORD $0x4e8678a4 // zip2 v4.4s, v5.4s, v6.4s
	WORD $0x6eb58c25 // cmeq v5.4s, v1.4s, v21.4s
	WORD $0x6eb58c55 // cmeq v21.4s, v2.4s, v21.4s
	WORD $0x4e913a16 // zip1 v22.4s, v16.4s, v17.4s
	WORD $0x3ce15913 // ldr q19, [x8, w1, uxtw #4]
	WORD $0x91002002 // add x2, x0, #8
	WORD $0x4ea71cf7 // mov v23.16b, v7.16b
	WORD $0x91001001 // add x1, x0, #4
	WORD $0xeb0d005f // cmp x2, x13
	WORD $0x4e943a78 // zip1 v24.4s, v19.4s, v20.4s
	WORD $0x4ed278e7 // zip2 v7.2d, v7.2d, v18.2d
	WORD $0xaa0103e0 // mov x0, x1
	WORD $0x6e180483 // mov v3.d[1], v4.d[0]
	WORD $0x4e917a04 // zip2 v4.4s, v16.4s, v17.4s
	WORD $0x4e947a71 // zip2 v17.4s, v19.4s, v20.4s
	WORD $0x6e180657 // mov v23.d[1], v18.d[0]
	WORD $0x4eb61ec6 // mov v6.16b, v22.16b
	WORD $0x3cc105d0 // ldr q16, [x14], #16
	WORD $0x6e180706 // mov v6.d[1], v24.d[0]
	WORD $0x6f380610 // ushr v16.4s, v16.4s, #8
	WORD $0x6e180624 // mov v4.d[1], v17.d[0]
	WORD $0x4ea586e5 // add v5.4s, v23.4s, v5.4s
	WORD $0x4e21d8a5 // scvtf v5.4s, v5.4s
	WORD $0x4eb584c6 // add v6.4s, v6.4s, v21.4s
	WORD $0x4e21d8c6 // scvtf v6.4s, v6.4s
	WORD $0x4e25d463 // fadd v3.4s, v3.4s, v5.4s
	WORD $0x6e21da05 // ucvtf v5.4s, v16.4s
	WORD $0x4ed87ad0 // zip2 v16.2d, v22.2d, v24.2d
	WORD $0x4e26d484 // fadd v4.4s, v4.4s, v6.4s
	WORD $0x6e27dc63 // fmul v3.4s, v3.4s, v7.4s
	WORD $0x6e20dca5 // fmul v5.4s, v5.4s, v0.4s
	WORD $0x6e30dc84 // fmul v4.4s, v4.4s, v16.4s
	WORD $0x6e25dc63 // fmul v3.4s, v3.4s, v5.4s
	WORD $0x6ea3e483 // fcmgt v3.4s, v4.4s, v3.4s
	WORD $0x6ea31c41 // bit v1.16b, v2.16b, v3.16b
	WORD $0x3c810621 // str q1, [x17], #16
	WORD $0x54fff8ed // b.le BB0_6
	WORD $0xeb0101ad // BB0_7: subs x13, x13, x1
	WORD $0x540010cd // b.le BB0_15
	WORD $0xd37ef42e // lsl x14, x1, #2
	WORD $0x8b0e016b // add x11, x11, x14
	WORD $0x8b0e018c // add x12, x12, x14
	WORD $0x8b0e014a // add x10, x10, x14
	WORD $0x8b0e0129 // add x9, x9, x14
	WORD $0xb940016e // BB0_9: ldr w14, [x11]
	WORD $0xb840452f // ldr w15, [x9], #4
	WORD $0xb8404580 // ldr w0, [x12], #4
	WORD $0x8b0e1110 // add x16, x8, x14, lsl #4
	WORD $0x6b0f01df // cmp w14, w15
	WORD $0x1a9f17e1 // cset w1, eq
	WORD $0x6b0f001f // cmp w0, w15
	WORD $0xb9400211 // ldr w17, [x16]
	WORD $0x2d408602 // ldp s2, s1, [x16, #4]
	WORD $0xb8404550 // ldr w16, [x10], #4
	WORD $0x4b010231 // sub w17, w17, w1
	WORD $0x8b001101 // add x1, x8, x0, lsl #4
	WORD $0x1e220220 // scvtf s0, w17
	WORD $0x1a9f17f1 // cset w17, eq
	WORD $0xb940002f // ldr w15, [x1]
	WORD $0x4b1101ef // sub w15, w15, w17
	WORD $0x1e202820 // fadd s0, s1, s0
	WORD $0x1e2201e1 // scvtf s1, w15
	WORD $0x53087e0f // lsr w15, w16, #8
	WORD $0x1e200840 // fmul s0, s2, s0
	WORD $0x2d408c22 // ldp s2, s3, [x1, #4]
	WORD $0x1e212861 // fadd s1, s3, s1
	WORD $0x1e03a1e3 // ucvtf s3, w15, #24
	WORD $0x1e210841 // fmul s1, s2, s1
	WORD $0x1e200860 // fmul s0, s3, s0
	WORD $0x1e212000 // fcmp s0, s1
	WORD $0x1a8e400e // csel w14, w0, w14, mi
	WORD $0xf10005ad // subs x13, x13, #1
	WORD $0xb800456e // str w14, [x11], #4
	WORD $0x54fffc61 // b.ne BB0_9
	WORD $0x14000062 // b BB0_15
	WORD $0x52a6700e // BB0_10: mov w14, #864026624
	WORD $0x4e040401 // dup v1.4s, v0.s[0]
	WORD $0xaa1f03e0 // mov x0, xzr
	WORD $0x4e040dc2 // dup v2.4s, w14
	WORD $0xaa0a03ee // mov x14, x10
	WORD $0xaa0903ef // mov x15, x9
	WORD $0xaa0c03f0 // mov x16, x12
	WORD $0xaa0b03f1 // mov x17, x11
	WORD $0x3dc00223 // BB0_11: ldr q3, [x17]
	WORD $0x3cc10604 // ldr q4, [x16], #16
	WORD $0x3cc105f2 // ldr q18, [x15], #16
	WORD $0x0e0c3c61 // mov w1, v3.s[1]
	WORD $0x0e1c3c63 // mov w3, v3.s[3]
	WORD $0x9e660064 // fmov x4, d3
	WORD $0x0e143c62 // mov w2, v3.s[2]
	WORD $0x3ce45905 // ldr q5, [x8, w4, uxtw #4]
	WORD $0x0e143c84 // mov w4, v4.s[2]
	WORD $0x3ce15906 // ldr q6, [x8, w1, uxtw #4]
	WORD $0x0e0c3c81 // mov w1, v4.s[1]
	WORD $0x3ce35910 // ldr q16, [x8, w3, uxtw #4]
	WORD $0x9e660083 // fmov x3, d4
	WORD $0x3ce25907 // ldr q7, [x8, w2, uxtw #4]
	WORD $0x0e1c3c82 // mov w2, v4.s[3]
	WORD $0x4e8638a5 // zip1 v5.4s, v5.4s, v6.4s
	WORD $0x4e9038e6 // zip1 v6.4s, v7.4s, v16.4s
	WORD $0x3ce45911 // ldr q17, [x8, w4, uxtw #4]
	WORD $0x3ce35907 // ldr q7, [x8, w3, uxtw #4]
	WORD $0x3ce15910 // ldr q16, [x8, w1, uxtw #4]
	WORD $0x91001001 // add x1, x0, #4
	WORD $0x3ce25913 // ldr q19, [x8, w2, uxtw #4]
	WORD $0x91002002 // add x2, x0, #8
	WORD $0xaa0103e0 // mov x0, x1
	WORD $0x4ea51cb4 // mov v20.16b, v5.16b
	WORD $0x4e9038e7 // zip1 v7.4s, v7.4s, v16.4s
	WORD $0xeb0d005f // cmp x2, x13
	WORD $0x4e933a30 // zip1 v16.4s, v17.4s, v19.4s
	WORD $0x6eb28c71 // cmeq v17.4s, v3.4s, v18.4s
	WORD $0x6eb28c92 // cmeq v18.4s, v4.4s, v18.4s
	WORD $0x4ec678a5 // zip2 v5.2d, v5.2d, v6.2d
	WORD $0x6e1804d4 // mov v20.d[1], v6.d[0]
	WORD $0x4ea71cf3 // mov v19.16b, v7.16b
	WORD $0x4ed078e7 // zip2 v7.2d, v7.2d, v16.2d
	WORD $0x4eb18691 // add v17.4s, v20.4s, v17.4s
	WORD $0x6e180613 // mov v19.d[1], v16.d[0]
	WORD $0x3cc105d4 // ldr q20, [x14], #16
	WORD $0x4e21da31 // scvtf v17.4s, v17.4s
	WORD $0x4eb28672 // add v18.4s, v19.4s, v18.4s
	WORD $0x6f380693 // ushr v19.4s, v20.4s, #8
	WORD $0x4e21da46 // scvtf v6.4s, v18.4s
	WORD $0x4e31d431 // fadd v17.4s, v1.4s, v17.4s
	WORD $0x6e21da72 // ucvtf v18.4s, v19.4s
	WORD $0x6e25de25 // fmul v5.4s, v17.4s, v5.4s
	WORD $0x4e26d426 // fadd v6.4s, v1.4s, v6.4s
	WORD $0x6e22de50 // fmul v16.4s, v18.4s, v2.4s
	WORD $0x6e27dcc6 // fmul v6.4s, v6.4s, v7.4s
	WORD $0x6e30dca5 // fmul v5.4s, v5.4s, v16.4s
	WORD $0x6ea5e4c5 // fcmgt v5.4s, v6.4s, v5.4s
	WORD $0x6ea51c83 // bit v3.16b, v4.16b, v5.16b
	WORD $0x3c810623 // str q3, [x17], #16
	WORD $0x54fff9ad // b.le BB0_11
	WORD $0xeb0101ad // BB0_12: subs x13, x13, x1
	WORD $0x5400048d // b.le BB0_15
	WORD $0xd37ef42e // lsl x14, x1, #2
	WORD $0x8b0e016b // add x11, x11, x14
	WORD $0x8b0e018c // add x12, x12, x14
	WORD $0x8b0e014a // add x10, x10, x14
	WORD $0x8b0e0129 // add x9, x9, x14
	WORD $0xb940016e // BB0_14: ldr w14, [x11]
	WORD $0xb840452f // ldr w15, [x9], #4
	WORD $0xb8404591 // ldr w17, [x12], #4
	WORD $0x8b0e1110 // add x16, x8, x14, lsl #4
	WORD $0x6b0f01df // cmp w14, w15
	WORD $0x1a9f17e1 // cset w1, eq
	WORD $0x6b0f023f // cmp w17, w15
	WORD $0xb9400200 // ldr w0, [x16]
	WORD $0x1a9f17ef // cset w15, eq
	WORD $0xbd400603 // ldr s3, [x16, #4]
	WORD $0x4b010000 // sub w0, w0, w1
	WORD $0x8b111101 // add x1, x8, x17, lsl #4
	WORD $0x1e220001 // scvtf s1, w0
	WORD $0xb9400020 // ldr w0, [x1]
	WORD $0x4b0f000f // sub w15, w0, w15
	WORD $0xb8404540 // ldr w0, [x10], #4
	WORD $0x1e212801 // fadd s1, s0, s1
	WORD $0x1e2201e2 // scvtf s2, w15
	WORD $0x53087c0f // lsr w15, w0, #8
	WORD $0x1e03a1e4 // ucvtf s4, w15, #24
	WORD $0x1e210861 // fmul s1, s3, s1
	WORD $0x1e222802 // fadd s2, s0, s2
	WORD $0xbd400423 // ldr s3, [x1, #4]
	WORD $0x1e220862 // fmul s2, s3, s2
	WORD $0x1e210881 // fmul s1, s4, s1
	WORD $0x1e222020 // fcmp s1, s2
	WORD $0x1a8e422e // csel w14, w17, w14, mi
	WORD $0xf10005ad // subs x13, x13, #1
	WORD $0xb800456e // str w14, [x11], #4
	WORD $0x54fffc61 // b.ne BB0_14
	RET

// func store32NEON(a *recordArgs)
TEXT ·store32NEON(SB), 0, $144-8
	MOVD a+0(FP), R0
	WORD $0xf9402801 // ldr x1, [x0, #80]
	WORD $0xf100043f // cmp x1, #1
	WORD $0x540005ab // b.lt BB3_8
	WORD $0xf81f0ff3 // str x19, [sp, #-16]!
	WORD $0xf940300a // ldr x10, [x0, #96]
	WORD $0xa941b00b // ldp x11, x12, [x0, #24]
	WORD $0xf940140d // ldr x13, [x0, #40]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0xd37ff94e // lsl x14, x10, #1
	WORD $0x5280018f // mov w15, #12
	WORD $0x14000004 // b BB3_3
	WORD $0x91000529 // BB3_2: add x9, x9, #1
	WORD $0xeb01013f // cmp x9, x1
	WORD $0x5400040a // b.ge BB3_7
	WORD $0xf9401c10 // BB3_3: ldr x16, [x0, #56]
	WORD $0x9b0f4130 // madd x16, x9, x15, x16
	WORD $0xb9400a11 // ldr w17, [x16, #8]
	WORD $0x34ffff51 // cbz w17, BB3_2
	WORD $0x29400e02 // ldp w2, w3, [x16]
	WORD $0xf9402001 // ldr x1, [x0, #64]
	WORD $0xd37ef504 // lsl x4, x8, #2
	WORD $0xaa1f03f1 // mov x17, xzr
	WORD $0xf8627821 // ldr x1, [x1, x2, lsl #3]
	WORD $0x8b040162 // add x2, x11, x4
	WORD $0xd37ef421 // lsl x1, x1, #2
	WORD $0x8b030821 // add x1, x1, x3, lsl #2
	WORD $0x8b040183 // add x3, x12, x4
	WORD $0x8b0401a4 // add x4, x13, x4
	WORD $0xb8717865 // BB3_5: ldr w5, [x3, x17, lsl #2]
	WORD $0xb8717886 // ldr w6, [x4, x17, lsl #2]
	WORD $0xb8717847 // ldr w7, [x2, x17, lsl #2]
	WORD $0xf9400013 // ldr x19, [x0]
	WORD $0x91000631 // add x17, x17, #1
	WORD $0x9aca20a5 // lsl x5, x5, x10
	WORD $0x9ace20c6 // lsl x6, x6, x14
	WORD $0x2a0700a5 // orr w5, w5, w7
	WORD $0x2a0600a5 // orr w5, w5, w6
	WORD $0xb8216a65 // str w5, [x19, x1]
	WORD $0x91001021 // add x1, x1, #4
	WORD $0xb9400a05 // ldr w5, [x16, #8]
	WORD $0xeb05023f // cmp x17, x5
	WORD $0x54fffe63 // b.lo BB3_5
	WORD $0xf9402801 // ldr x1, [x0, #80]
	WORD $0x8b110108 // add x8, x8, x17
	WORD $0x17ffffdf // b BB3_2
	WORD $0xf84107f3 // BB3_7: ldr x19, [sp], #16
	RET

// func store64NEON(a *recordArgs)
TEXT ·store64NEON(SB), 0, $144-8
	MOVD a+0(FP), R0
	WORD $0xf9402803 // ldr x3, [x0, #80]
	WORD $0xf100047f // cmp x3, #1
	WORD $0x540006cb // b.lt BB2_8
	WORD $0xf81d0ff7 // str x23, [sp, #-48]!
	WORD $0xf940300a // ldr x10, [x0, #96]
	WORD $0xa941b40c // ldp x12, x13, [x0, #24]
	WORD $0xa942bc0e // ldp x14, x15, [x0, #40]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xd37ff94b // lsl x11, x10, #1
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x52800191 // mov w17, #12
	WORD $0xa90157f6 // stp x22, x21, [sp, #16]
	WORD $0x8b0a0170 // add x16, x11, x10
	WORD $0xa9024ff4 // stp x20, x19, [sp, #32]
	WORD $0x14000004 // b BB2_3
	WORD $0x91000529 // BB2_2: add x9, x9, #1
	WORD $0xeb03013f // cmp x9, x3
	WORD $0x5400048a // b.ge BB2_7
	WORD $0xf9401c01 // BB2_3: ldr x1, [x0, #56]
	WORD $0x9b110521 // madd x1, x9, x17, x1
	WORD $0xb9400822 // ldr w2, [x1, #8]
	WORD $0x34ffff42 // cbz w2, BB2_2
	WORD $0x29401424 // ldp w4, w5, [x1]
	WORD $0xf9402003 // ldr x3, [x0, #64]
	WORD $0xd37ef507 // lsl x7, x8, #2
	WORD $0xaa1f03e2 // mov x2, xzr
	WORD $0xf8647863 // ldr x3, [x3, x4, lsl #3]
	WORD $0x8b070184 // add x4, x12, x7
	WORD $0x8b0701c6 // add x6, x14, x7
	WORD $0xd37df063 // lsl x3, x3, #3
	WORD $0x8b050c63 // add x3, x3, x5, lsl #3
	WORD $0x8b0701a5 // add x5, x13, x7
	WORD $0x8b0701e7 // add x7, x15, x7
	WORD $0xb86278b3 // BB2_5: ldr w19, [x5, x2, lsl #2]
	WORD $0xb86278d4 // ldr w20, [x6, x2, lsl #2]
	WORD $0xb86278f5 // ldr w21, [x7, x2, lsl #2]
	WORD $0xb8627896 // ldr w22, [x4, x2, lsl #2]
	WORD $0x91000442 // add x2, x2, #1
	WORD $0xf9400017 // ldr x23, [x0]
	WORD $0x9aca2273 // lsl x19, x19, x10
	WORD $0x9acb2294 // lsl x20, x20, x11
	WORD $0x9ad022b5 // lsl x21, x21, x16
	WORD $0xaa160273 // orr x19, x19, x22
	WORD $0xaa150294 // orr x20, x20, x21
	WORD $0xaa140273 // orr x19, x19, x20
	WORD $0xf8236af3 // str x19, [x23, x3]
	WORD $0x91002063 // add x3, x3, #8
	WORD $0xb9400833 // ldr w19, [x1, #8]
	WORD $0xeb13005f // cmp x2, x19
	WORD $0x54fffe03 // b.lo BB2_5
	WORD $0xf9402803 // ldr x3, [x0, #80]
	WORD $0x8b020108 // add x8, x8, x2
	WORD $0x17ffffdb // b BB2_2
	WORD $0xa9424ff4 // BB2_7: ldp x20, x19, [sp, #32]
	WORD $0xa94157f6 // ldp x22, x21, [sp, #16]
	WORD $0xf84307f7 // ldr x23, [sp], #48
	RET

// func storeDoc32NEON(a *recordArgs)
TEXT ·storeDoc32NEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x540002ab // b.lt BB7_3
	WORD $0xf9403008 // ldr x8, [x0, #96]
	WORD $0xa941ac0a // ldp x10, x11, [x0, #24]
	WORD $0xf9400409 // ldr x9, [x0, #8]
	WORD $0xaa1f03ee // mov x14, xzr
	WORD $0xf940140c // ldr x12, [x0, #40]
	WORD $0xd37ff90d // lsl x13, x8, #1
	WORD $0xb86e796f // BB7_2: ldr w15, [x11, x14, lsl #2]
	WORD $0xb86e7990 // ldr w16, [x12, x14, lsl #2]
	WORD $0xb86e7951 // ldr w17, [x10, x14, lsl #2]
	WORD $0xf9400001 // ldr x1, [x0]
	WORD $0xb86e7922 // ldr w2, [x9, x14, lsl #2]
	WORD $0x910005ce // add x14, x14, #1
	WORD $0x9ac821ef // lsl x15, x15, x8
	WORD $0x9acd2210 // lsl x16, x16, x13
	WORD $0x2a1101ef // orr w15, w15, w17
	WORD $0x2a1001ef // orr w15, w15, w16
	WORD $0xb822782f // str w15, [x1, x2, lsl #2]
	WORD $0xf940280f // ldr x15, [x0, #80]
	WORD $0xeb0f01df // cmp x14, x15
	WORD $0x54fffe6b // b.lt BB7_2
	RET

// func storeDoc64NEON(a *recordArgs)
TEXT ·storeDoc64NEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	WORD $0xf9402808 // ldr x8, [x0, #80]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400032b // b.lt BB6_3
	WORD $0xf9403009 // ldr x9, [x0, #96]
	WORD $0xa941b40c // ldp x12, x13, [x0, #24]
	WORD $0xa942bc0e // ldp x14, x15, [x0, #40]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xd37ff92b // lsl x11, x9, #1
	WORD $0xf940040a // ldr x10, [x0, #8]
	WORD $0x8b090170 // add x16, x11, x9
	WORD $0xb86879b1 // BB6_2: ldr w17, [x13, x8, lsl #2]
	WORD $0xb86879c1 // ldr w1, [x14, x8, lsl #2]
	WORD $0xb86879e2 // ldr w2, [x15, x8, lsl #2]
	WORD $0xb8687983 // ldr w3, [x12, x8, lsl #2]
	WORD $0xf9400004 // ldr x4, [x0]
	WORD $0xb8687945 // ldr w5, [x10, x8, lsl #2]
	WORD $0x9ac92231 // lsl x17, x17, x9
	WORD $0x9acb2021 // lsl x1, x1, x11
	WORD $0x9ad02042 // lsl x2, x2, x16
	WORD $0x91000508 // add x8, x8, #1
	WORD $0xaa030231 // orr x17, x17, x3
	WORD $0xaa020021 // orr x1, x1, x2
	WORD $0xaa010231 // orr x17, x17, x1
	WORD $0xf8257891 // str x17, [x4, x5, lsl #3]
	WORD $0xf9402811 // ldr x17, [x0, #80]
	WORD $0xeb11011f // cmp x8, x17
	WORD $0x54fffe0b // b.lt BB6_2
	RET
