// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 1678d96486e1448d462953df56c2e333. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func drawNEON(z *uint32, n int, gamma *uint8, kpad int, u uint32)
TEXT ·drawNEON(SB), 0, $144-36
	MOVD z+0(FP), R0
	MOVD n+8(FP), R1
	MOVD gamma+16(FP), R2
	MOVD kpad+24(FP), R3
	MOVWU u+32(FP), R4
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xf100047f // cmp x3, #1
	WORD $0x540004cb // b.lt BB3_3
	WORD $0x4f026484 // movi v4.4s, #68, lsl #24
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f0007e5 // mvni v5.4s, #31
	WORD $0x3ce86846 // BB3_2: ldr q6, [x2, x8]
	WORD $0x4ea58463 // add v3.4s, v3.4s, v5.4s
	WORD $0x4ea58442 // add v2.4s, v2.4s, v5.4s
	WORD $0x4ea58400 // add v0.4s, v0.4s, v5.4s
	WORD $0x4ea58421 // add v1.4s, v1.4s, v5.4s
	WORD $0x91004108 // add x8, x8, #16
	WORD $0x4f08a4c7 // sshll2 v7.8h, v6.16b, #0
	WORD $0x0f08a4c6 // sshll v6.8h, v6.8b, #0
	WORD $0xeb03011f // cmp x8, x3
	WORD $0x2f10a4f0 // ushll v16.4s, v7.4h, #0
	WORD $0x6f10a4e7 // ushll2 v7.4s, v7.8h, #0
	WORD $0x2f10a4d1 // ushll v17.4s, v6.4h, #0
	WORD $0x6f10a4c6 // ushll2 v6.4s, v6.8h, #0
	WORD $0x4f3254e7 // shl v7.4s, v7.4s, #18
	WORD $0x4f325610 // shl v16.4s, v16.4s, #18
	WORD $0x4f325631 // shl v17.4s, v17.4s, #18
	WORD $0x4f3254c6 // shl v6.4s, v6.4s, #18
	WORD $0x4ea48610 // add v16.4s, v16.4s, v4.4s
	WORD $0x4ea484e7 // add v7.4s, v7.4s, v4.4s
	WORD $0x4ea48631 // add v17.4s, v17.4s, v4.4s
	WORD $0x4ea484c6 // add v6.4s, v6.4s, v4.4s
	WORD $0x4ea1b8e7 // fcvtzs v7.4s, v7.4s
	WORD $0x4ea1ba10 // fcvtzs v16.4s, v16.4s
	WORD $0x4ea1ba31 // fcvtzs v17.4s, v17.4s
	WORD $0x4ea1b8c6 // fcvtzs v6.4s, v6.4s
	WORD $0x4ea78463 // add v3.4s, v3.4s, v7.4s
	WORD $0x4eb08442 // add v2.4s, v2.4s, v16.4s
	WORD $0x4eb18421 // add v1.4s, v1.4s, v17.4s
	WORD $0x4ea68400 // add v0.4s, v0.4s, v6.4s
	WORD $0x54fffc6b // b.lt BB3_2
	WORD $0x14000004 // b BB3_4
	WORD $0x6f00e400 // BB3_3: movi v0.2d, #0000000000000000
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0xd10143ff // BB3_4: sub sp, sp, #80
	WORD $0xf100043f // cmp x1, #1
	WORD $0xa9044ff4 // stp x20, x19, [sp, #64]
	WORD $0xad0003e1 // stp q1, q0, [sp]
	WORD $0xad010fe2 // stp q2, q3, [sp, #32]
	WORD $0x5400086b // b.lt BB3_13
	WORD $0x0e1c3c2b // mov w11, v1.s[3]
	WORD $0x0e143c2c // mov w12, v1.s[2]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x0e0c3c2a // mov w10, v1.s[1]
	WORD $0x1e260029 // fmov w9, s1
	WORD $0x0e1c3c50 // mov w16, v2.s[3]
	WORD $0x0e1c3c11 // mov w17, v0.s[3]
	WORD $0x0e0c3c03 // mov w3, v0.s[1]
	WORD $0x0e0c3c6e // mov w14, v3.s[1]
	WORD $0x1e26006f // fmov w15, s3
	WORD $0x0e0c3c45 // mov w5, v2.s[1]
	WORD $0x0e143c06 // mov w6, v0.s[2]
	WORD $0x0b0c016b // add w11, w11, w12
	WORD $0x1e260053 // fmov w19, s2
	WORD $0x1e260014 // fmov w20, s0
	WORD $0x0b09014a // add w10, w10, w9
	WORD $0x0e143c6c // mov w12, v3.s[2]
	WORD $0x0e143c47 // mov w7, v2.s[2]
	WORD $0x0b0a016a // add w10, w11, w10
	WORD $0x0b1001ef // add w15, w15, w16
	WORD $0x0e1c3c6d // mov w13, v3.s[3]
	WORD $0x0b14006b // add w11, w3, w20
	WORD $0x0b110271 // add w17, w19, w17
	WORD $0x0b0f01ce // add w14, w14, w15
	WORD $0x0b0b00cb // add w11, w6, w11
	WORD $0x0b1100b0 // add w16, w5, w17
	WORD $0x0b0a016a // add w10, w11, w10
	WORD $0x0b1000eb // add w11, w7, w16
	WORD $0x0b0e018c // add w12, w12, w14
	WORD $0x0b0a016a // add w10, w11, w10
	WORD $0x0b0c01ab // add w11, w13, w12
	WORD $0x528f372d // mov w13, #31161
	WORD $0x0b0a016a // add w10, w11, w10
	WORD $0x910003eb // mov x11, sp
	WORD $0x52a8800c // mov w12, #1140850688
	WORD $0x9100116b // add x11, x11, #4
	WORD $0x72b3c6ed // movk w13, #40503, lsl #16
	WORD $0x9ba47d4e // BB3_6: umull x14, w10, w4
	WORD $0xd360fdce // lsr x14, x14, #32
	WORD $0x6b0e013f // cmp w9, w14
	WORD $0x5400006d // b.le BB3_8
	WORD $0xaa1f03f1 // mov x17, xzr
	WORD $0x14000009 // b BB3_10
	WORD $0xaa1f03ef // BB3_8: mov x15, xzr
	WORD $0x2a0903f0 // mov w16, w9
	WORD $0x4b1001ce // BB3_9: sub w14, w14, w16
	WORD $0xb86f7970 // ldr w16, [x11, x15, lsl #2]
	WORD $0x910005f1 // add x17, x15, #1
	WORD $0xaa1103ef // mov x15, x17
	WORD $0x6b1001df // cmp w14, w16
	WORD $0x54ffff6a // b.ge BB3_9
	WORD $0x5100422f // BB3_10: sub w15, w17, #16
	WORD $0x8b110050 // add x16, x2, x17
	WORD $0x38c10611 // BB3_11: ldrsb w17, [x16], #16
	WORD $0x110041ef // add w15, w15, #16
	WORD $0x0b114991 // add w17, w12, w17, lsl #18
	WORD $0x1e270220 // fmov s0, w17
	WORD $0x1e380011 // fcvtzs w17, s0
	WORD $0x51008231 // sub w17, w17, #32
	WORD $0x6b1101ce // subs w14, w14, w17
	WORD $0x54ffff2a // b.ge BB3_11
	WORD $0xb828780f // str w15, [x0, x8, lsl #2]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0x0b0d0084 // add w4, w4, w13
	WORD $0xeb01011f // cmp x8, x1
	WORD $0x54fffc81 // b.ne BB3_6
	WORD $0xa9444ff4 // BB3_13: ldp x20, x19, [sp, #64]
	WORD $0x910143ff // add sp, sp, #80
	RET

// func laneSumsNEON(sums *[16]int32, gamma *uint8, n int)
TEXT ·laneSumsNEON(SB), NOSPLIT, $0-24
	MOVD sums+0(FP), R0
	MOVD gamma+8(FP), R1
	MOVD n+16(FP), R2
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0xf100045f // cmp x2, #1
	WORD $0x540004cb // b.lt BB2_3
	WORD $0x4f026482 // movi v2.4s, #68, lsl #24
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x6f0007e4 // mvni v4.4s, #31
	WORD $0x3ce86826 // BB2_2: ldr q6, [x1, x8]
	WORD $0x4ea484a5 // add v5.4s, v5.4s, v4.4s
	WORD $0x4ea48463 // add v3.4s, v3.4s, v4.4s
	WORD $0x4ea48421 // add v1.4s, v1.4s, v4.4s
	WORD $0x4ea48400 // add v0.4s, v0.4s, v4.4s
	WORD $0x91004108 // add x8, x8, #16
	WORD $0x4f08a4c7 // sshll2 v7.8h, v6.16b, #0
	WORD $0x0f08a4c6 // sshll v6.8h, v6.8b, #0
	WORD $0xeb02011f // cmp x8, x2
	WORD $0x2f10a4f0 // ushll v16.4s, v7.4h, #0
	WORD $0x6f10a4e7 // ushll2 v7.4s, v7.8h, #0
	WORD $0x2f10a4d1 // ushll v17.4s, v6.4h, #0
	WORD $0x6f10a4c6 // ushll2 v6.4s, v6.8h, #0
	WORD $0x4f3254e7 // shl v7.4s, v7.4s, #18
	WORD $0x4f325610 // shl v16.4s, v16.4s, #18
	WORD $0x4f325631 // shl v17.4s, v17.4s, #18
	WORD $0x4f3254c6 // shl v6.4s, v6.4s, #18
	WORD $0x4ea28610 // add v16.4s, v16.4s, v2.4s
	WORD $0x4ea284e7 // add v7.4s, v7.4s, v2.4s
	WORD $0x4ea28631 // add v17.4s, v17.4s, v2.4s
	WORD $0x4ea284c6 // add v6.4s, v6.4s, v2.4s
	WORD $0x4ea1b8e7 // fcvtzs v7.4s, v7.4s
	WORD $0x4ea1ba10 // fcvtzs v16.4s, v16.4s
	WORD $0x4ea1ba31 // fcvtzs v17.4s, v17.4s
	WORD $0x4ea1b8c6 // fcvtzs v6.4s, v6.4s
	WORD $0x4ea784a5 // add v5.4s, v5.4s, v7.4s
	WORD $0x4eb08463 // add v3.4s, v3.4s, v16.4s
	WORD $0x4eb18400 // add v0.4s, v0.4s, v17.4s
	WORD $0x4ea68421 // add v1.4s, v1.4s, v6.4s
	WORD $0x54fffc6b // b.lt BB2_2
	WORD $0x14000004 // b BB2_4
	WORD $0x6f00e401 // BB2_3: movi v1.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0xad000400 // BB2_4: stp q0, q1, [x0]
	WORD $0xad011403 // stp q3, q5, [x0, #32]
	RET

// func sumRowsNEON(sums *int64, rows *int32, n int, kpad int)
TEXT ·sumRowsNEON(SB), NOSPLIT, $0-32
	MOVD sums+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD n+16(FP), R2
	MOVD kpad+24(FP), R3
	WORD $0xf100047f // cmp x3, #1
	WORD $0x540004eb // b.lt BB1_6
	WORD $0xd37ef468 // lsl x8, x3, #2
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x1400000a // b BB1_3
	WORD $0x8b090c0a // BB1_2: add x10, x0, x9, lsl #3
	WORD $0x91004129 // add x9, x9, #16
	WORD $0x91010021 // add x1, x1, #64
	WORD $0xeb03013f // cmp x9, x3
	WORD $0xad000940 // stp q0, q2, [x10]
	WORD $0xad011143 // stp q3, q4, [x10, #32]
	WORD $0xad021945 // stp q5, q6, [x10, #64]
	WORD $0xad030547 // stp q7, q1, [x10, #96]
	WORD $0x5400036a // b.ge BB1_6
	WORD $0x6f00e400 // BB1_3: movi v0.2d, #0000000000000000
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0xf100045f // cmp x2, #1
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f00e404 // movi v4.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x6f00e407 // movi v7.2d, #0000000000000000
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0x54fffdcb // b.lt BB1_2
	WORD $0xaa0203ea // mov x10, x2
	WORD $0xaa0103eb // mov x11, x1
	WORD $0xad404171 // BB1_5: ldp q17, q16, [x11]
	WORD $0xf100054a // subs x10, x10, #1
	WORD $0xad414d72 // ldp q18, q19, [x11, #32]
	WORD $0x8b08016b // add x11, x11, x8
	WORD $0x4eb11042 // saddw2 v2.2d, v2.2d, v17.4s
	WORD $0x0eb01063 // saddw v3.2d, v3.2d, v16.2s
	WORD $0x0eb11000 // saddw v0.2d, v0.2d, v17.2s
	WORD $0x4eb01084 // saddw2 v4.2d, v4.2d, v16.4s
	WORD $0x0eb210a5 // saddw v5.2d, v5.2d, v18.2s
	WORD $0x4eb210c6 // saddw2 v6.2d, v6.2d, v18.4s
	WORD $0x0eb310e7 // saddw v7.2d, v7.2d, v19.2s
	WORD $0x4eb31021 // saddw2 v1.2d, v1.2d, v19.4s
	WORD $0x54fffe81 // b.ne BB1_5
	WORD $0x17ffffde // b BB1_2
	RET

// func updateNEON(t *tile)
TEXT ·updateNEON(SB), NOSPLIT, $0-8
	MOVD t+0(FP), R0
	JMP code
	PCALIGN $64
	WORD $0x0c080400; WORD $0x1c181410; WORD $0x2c282420; WORD $0x3c383430
	WORD $0x00000000; WORD $0x00000000; WORD $0x00000000; WORD $0x00000000
	WORD $0x00000000; WORD $0x00000000; WORD $0x00000000; WORD $0x00000000
	WORD $0x00000000; WORD $0x00000000; WORD $0x00000000; WORD $0x00000000

code:
	WORD $0xf9400408 // ldr x8, [x0, #8]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400194b // b.lt BB0_9
	WORD $0x4f026480 // movi v0.4s, #68, lsl #24
	WORD $0x4f026441 // movi v1.4s, #66, lsl #24
	WORD $0xf9400c09 // ldr x9, [x0, #24]
	WORD $0x4f004442 // movi v2.4s, #2, lsl #16
	WORD $0x6f00d463 // mvni v3.4s, #3, msl #16
	WORD $0xf9404c01 // ldr x1, [x0, #152]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x5280028a // mov w10, #20
	WORD $0x52a8bf6b // mov w11, #1174077440
	WORD $0x10fffc8c // adr x12, .LCPI0_0
	WORD $0x14000006 // b BB0_3
	WORD $0xf940040d // BB0_2: ldr x13, [x0, #8]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0x8b010129 // add x9, x9, x1
	WORD $0xeb0d011f // cmp x8, x13
	WORD $0x5400174a // b.ge BB0_9
	WORD $0xf100043f // BB0_3: cmp x1, #1
	WORD $0x54ffff4b // b.lt BB0_2
	WORD $0xf940000d // ldr x13, [x0]
	WORD $0x9b0a350f // madd x15, x8, x10, x13
	WORD $0xf9401811 // ldr x17, [x0, #48]
	WORD $0x6f00e404 // movi v4.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x6f00e407 // movi v7.2d, #0000000000000000
	WORD $0xaa1f03f0 // mov x16, xzr
	WORD $0x294039ed // ldp w13, w14, [x15]
	WORD $0x9b0d7c2d // mul x13, x1, x13
	WORD $0x9b0e7c2e // mul x14, x1, x14
	WORD $0xf9402401 // ldr x1, [x0, #72]
	WORD $0x8b0d0a2d // add x13, x17, x13, lsl #2
	WORD $0xaa1f03f1 // mov x17, xzr
	WORD $0x8b0e082e // add x14, x1, x14, lsl #2
	WORD $0x3cf16930 // BB0_5: ldr q16, [x9, x17]
	WORD $0x8b1001a1 // add x1, x13, x16
	WORD $0xf9403002 // ldr x2, [x0, #96]
	WORD $0xad414833 // ldp q19, q18, [x1, #32]
	WORD $0x91004231 // add x17, x17, #16
	WORD $0x4f08a611 // sshll2 v17.8h, v16.16b, #0
	WORD $0x0f08a610 // sshll v16.8h, v16.8b, #0
	WORD $0xad405436 // ldp q22, q21, [x1]
	WORD $0x8b1001c1 // add x1, x14, x16
	WORD $0xad415c38 // ldp q24, q23, [x1, #32]
	WORD $0x4e21da52 // scvtf v18.4s, v18.4s
	WORD $0x6f10a634 // ushll2 v20.4s, v17.8h, #0
	WORD $0x2f10a631 // ushll v17.4s, v17.4h, #0
	WORD $0x6f10a619 // ushll2 v25.4s, v16.8h, #0
	WORD $0xad40683b // ldp q27, q26, [x1]
	WORD $0x2f10a610 // ushll v16.4s, v16.4h, #0
	WORD $0x4e21daf7 // scvtf v23.4s, v23.4s
	WORD $0x4e21da73 // scvtf v19.4s, v19.4s
	WORD $0x4e21db18 // scvtf v24.4s, v24.4s
	WORD $0x4f325694 // shl v20.4s, v20.4s, #18
	WORD $0x4f325631 // shl v17.4s, v17.4s, #18
	WORD $0x4f325739 // shl v25.4s, v25.4s, #18
	WORD $0x4e21dab5 // scvtf v21.4s, v21.4s
	WORD $0x4e21db5a // scvtf v26.4s, v26.4s
	WORD $0x4f325610 // shl v16.4s, v16.4s, #18
	WORD $0x9101e001 // add x1, x0, #120
	WORD $0x4e21dad6 // scvtf v22.4s, v22.4s
	WORD $0x4e21db7b // scvtf v27.4s, v27.4s
	WORD $0x4ea08694 // add v20.4s, v20.4s, v0.4s
	WORD $0x4ea08631 // add v17.4s, v17.4s, v0.4s
	WORD $0x4ea08739 // add v25.4s, v25.4s, v0.4s
	WORD $0x4ea08610 // add v16.4s, v16.4s, v0.4s
	WORD $0x4eb4d652 // fsub v18.4s, v18.4s, v20.4s
	WORD $0x4eb4d6f4 // fsub v20.4s, v23.4s, v20.4s
	WORD $0x4d40c837 // ld1r { v23.4s }, [x1]
	WORD $0x8b100041 // add x1, x2, x16
	WORD $0x4eb1d673 // fsub v19.4s, v19.4s, v17.4s
	WORD $0x4eb1d711 // fsub v17.4s, v24.4s, v17.4s
	WORD $0x4eb9d6b5 // fsub v21.4s, v21.4s, v25.4s
	WORD $0x4eb9d758 // fsub v24.4s, v26.4s, v25.4s
	WORD $0x4eb0d6d6 // fsub v22.4s, v22.4s, v16.4s
	WORD $0xad41643a // ldp q26, q25, [x1, #32]
	WORD $0x4eb0d770 // fsub v16.4s, v27.4s, v16.4s
	WORD $0x4e37d694 // fadd v20.4s, v20.4s, v23.4s
	WORD $0x4e37d631 // fadd v17.4s, v17.4s, v23.4s
	WORD $0x4e32d732 // fadd v18.4s, v25.4s, v18.4s
	WORD $0xad40643b // ldp q27, q25, [x1]
	WORD $0x4e33d753 // fadd v19.4s, v26.4s, v19.4s
	WORD $0x4e37d718 // fadd v24.4s, v24.4s, v23.4s
	WORD $0xf9404001 // ldr x1, [x0, #128]
	WORD $0x4e37d610 // fadd v16.4s, v16.4s, v23.4s
	WORD $0x4e35d735 // fadd v21.4s, v25.4s, v21.4s
	WORD $0x4e36d776 // fadd v22.4s, v27.4s, v22.4s
	WORD $0x8b100021 // add x1, x1, x16
	WORD $0x6e34de52 // fmul v18.4s, v18.4s, v20.4s
	WORD $0x6e31de71 // fmul v17.4s, v19.4s, v17.4s
	WORD $0x6e38deb3 // fmul v19.4s, v21.4s, v24.4s
	WORD $0xad415035 // ldp q21, q20, [x1, #32]
	WORD $0x6e30ded0 // fmul v16.4s, v22.4s, v16.4s
	WORD $0x6e32de92 // fmul v18.4s, v20.4s, v18.4s
	WORD $0xad405036 // ldp q22, q20, [x1]
	WORD $0x6e31deb1 // fmul v17.4s, v21.4s, v17.4s
	WORD $0xf9405c01 // ldr x1, [x0, #184]
	WORD $0x6e33de93 // fmul v19.4s, v20.4s, v19.4s
	WORD $0x6e30ded0 // fmul v16.4s, v22.4s, v16.4s
	WORD $0x8b100021 // add x1, x1, x16
	WORD $0x4e32d4e7 // fadd v7.4s, v7.4s, v18.4s
	WORD $0x91010210 // add x16, x16, #64
	WORD $0xad014831 // stp q17, q18, [x1, #32]
	WORD $0x4e31d4c6 // fadd v6.4s, v6.4s, v17.4s
	WORD $0xad004c30 // stp q16, q19, [x1]
	WORD $0x4e33d4a5 // fadd v5.4s, v5.4s, v19.4s
	WORD $0x4e30d484 // fadd v4.4s, v4.4s, v16.4s
	WORD $0xf9404c01 // ldr x1, [x0, #152]
	WORD $0xeb01023f // cmp x17, x1
	WORD $0x54fff6ab // b.lt BB0_5
	WORD $0xf100043f // cmp x1, #1
	WORD $0x54fff3ab // b.lt BB0_2
	WORD $0x4e26d484 // fadd v4.4s, v4.4s, v6.4s
	WORD $0x4e27d4a5 // fadd v5.4s, v5.4s, v7.4s
	WORD $0x910021ef // add x15, x15, #8
	WORD $0xaa1f03f0 // mov x16, xzr
	WORD $0x4e25d484 // fadd v4.4s, v4.4s, v5.4s
	WORD $0x6e044085 // ext v5.16b, v4.16b, v4.16b, #8
	WORD $0x0e25d484 // fadd v4.2s, v4.2s, v5.2s
	WORD $0x1e270165 // fmov s5, w11
	WORD $0x7e30d884 // faddp s4, v4.2s
	WORD $0x1e2418a4 // fdiv s4, s5, s4
	WORD $0x4d40c9e5 // ld1r { v5.4s }, [x15]
	WORD $0xaa1f03ef // mov x15, xzr
	WORD $0xf9405c11 // BB0_8: ldr x17, [x0, #184]
	WORD $0x3cef6930 // ldr q16, [x9, x15]
	WORD $0x8b100231 // add x17, x17, x16
	WORD $0x4f08a613 // sshll2 v19.8h, v16.16b, #0
	WORD $0x0f08a610 // sshll v16.8h, v16.8b, #0
	WORD $0xad411e26 // ldp q6, q7, [x17, #32]
	WORD $0xad404a31 // ldp q17, q18, [x17]
	WORD $0x8b1001b1 // add x17, x13, x16
	WORD $0x2f10a674 // ushll v20.4s, v19.4h, #0
	WORD $0x6f10a673 // ushll2 v19.4s, v19.8h, #0
	WORD $0x6f10a615 // ushll2 v21.4s, v16.8h, #0
	WORD $0x4f8490c6 // fmul v6.4s, v6.4s, v4.s[0]
	WORD $0x4f8490e7 // fmul v7.4s, v7.4s, v4.s[0]
	WORD $0x2f10a610 // ushll v16.4s, v16.4h, #0
	WORD $0x4f849231 // fmul v17.4s, v17.4s, v4.s[0]
	WORD $0x4f849252 // fmul v18.4s, v18.4s, v4.s[0]
	WORD $0x4f325694 // shl v20.4s, v20.4s, #18
	WORD $0x4f325673 // shl v19.4s, v19.4s, #18
	WORD $0x4f3256b5 // shl v21.4s, v21.4s, #18
	WORD $0x4f325610 // shl v16.4s, v16.4s, #18
	WORD $0x4e21d4c6 // fadd v6.4s, v6.4s, v1.4s
	WORD $0x4e21d4e7 // fadd v7.4s, v7.4s, v1.4s
	WORD $0x4e21d631 // fadd v17.4s, v17.4s, v1.4s
	WORD $0x4e21d652 // fadd v18.4s, v18.4s, v1.4s
	WORD $0x4ea08694 // add v20.4s, v20.4s, v0.4s
	WORD $0x4ea08673 // add v19.4s, v19.4s, v0.4s
	WORD $0x4ea086b5 // add v21.4s, v21.4s, v0.4s
	WORD $0x4ea08610 // add v16.4s, v16.4s, v0.4s
	WORD $0x4ea284c6 // add v6.4s, v6.4s, v2.4s
	WORD $0x4ea284e7 // add v7.4s, v7.4s, v2.4s
	WORD $0x4ea28631 // add v17.4s, v17.4s, v2.4s
	WORD $0x4ea28652 // add v18.4s, v18.4s, v2.4s
	WORD $0x4e231cd6 // and v22.16b, v6.16b, v3.16b
	WORD $0x4e231cf7 // and v23.16b, v7.16b, v3.16b
	WORD $0x6f2e04fd // ushr v29.4s, v7.4s, #18
	WORD $0x4e231e38 // and v24.16b, v17.16b, v3.16b
	WORD $0x4e231e59 // and v25.16b, v18.16b, v3.16b
	WORD $0x6f2e04dc // ushr v28.4s, v6.4s, #18
	WORD $0x6f2e065b // ushr v27.4s, v18.4s, #18
	WORD $0x4eb4d6d4 // fsub v20.4s, v22.4s, v20.4s
	WORD $0x4eb3d6e6 // fsub v6.4s, v23.4s, v19.4s
	WORD $0x6f2e063a // ushr v26.4s, v17.4s, #18
	WORD $0x4eb0d707 // fsub v7.4s, v24.4s, v16.4s
	WORD $0x4eb5d730 // fsub v16.4s, v25.4s, v21.4s
	WORD $0x3dc00191 // ldr q17, [x12]
	WORD $0x4e116351 // tbl v17.16b, { v26.16b, v27.16b, v28.16b, v29.16b }, v17.16b
	WORD $0x4ea1ba92 // fcvtzs v18.4s, v20.4s
	WORD $0x4ea1b8c6 // fcvtzs v6.4s, v6.4s
	WORD $0x4ea1b8e7 // fcvtzs v7.4s, v7.4s
	WORD $0x4ea1ba10 // fcvtzs v16.4s, v16.4s
	WORD $0x3caf6931 // str q17, [x9, x15]
	WORD $0x910041ef // add x15, x15, #16
	WORD $0xad414e31 // ldp q17, q19, [x17, #32]
	WORD $0x4eb29cb2 // mul v18.4s, v5.4s, v18.4s
	WORD $0x4ea69ca6 // mul v6.4s, v5.4s, v6.4s
	WORD $0x4ea79ca7 // mul v7.4s, v5.4s, v7.4s
	WORD $0x4eb09cb0 // mul v16.4s, v5.4s, v16.4s
	WORD $0xad405634 // ldp q20, q21, [x17]
	WORD $0x4eb18651 // add v17.4s, v18.4s, v17.4s
	WORD $0x4eb384d3 // add v19.4s, v6.4s, v19.4s
	WORD $0x4eb484f4 // add v20.4s, v7.4s, v20.4s
	WORD $0x4eb58615 // add v21.4s, v16.4s, v21.4s
	WORD $0xad014e31 // stp q17, q19, [x17, #32]
	WORD $0xad005634 // stp q20, q21, [x17]
	WORD $0x8b1001d1 // add x17, x14, x16
	WORD $0x91010210 // add x16, x16, #64
	WORD $0xad404e31 // ldp q17, q19, [x17]
	WORD $0x4eb184e7 // add v7.4s, v7.4s, v17.4s
	WORD $0xad414634 // ldp q20, q17, [x17, #32]
	WORD $0x4eb38610 // add v16.4s, v16.4s, v19.4s
	WORD $0x4eb184c6 // add v6.4s, v6.4s, v17.4s
	WORD $0x4eb48651 // add v17.4s, v18.4s, v20.4s
	WORD $0xad004227 // stp q7, q16, [x17]
	WORD $0xad011a31 // stp q17, q6, [x17, #32]
	WORD $0xf9404c01 // ldr x1, [x0, #152]
	WORD $0xeb0101ff // cmp x15, x1
	WORD $0x54fff68b // b.lt BB0_8
	WORD $0x17ffff43 // b BB0_2
	RET
