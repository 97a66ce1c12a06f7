// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 68b9ba71cd7779e26289d63944aae351. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func dotNEON(a *float32, b *float32, k int) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-28
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD k+16(FP), R2
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xf100045f // cmp x2, #1
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x5400028b // b.lt BB0_3
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xad401005 // BB0_2: ldp q5, q4, [x0]
	WORD $0x91004108 // add x8, x8, #16
	WORD $0xad411c06 // ldp q6, q7, [x0, #32]
	WORD $0xeb02011f // cmp x8, x2
	WORD $0xad40c031 // ldp q17, q16, [x1, #16]
	WORD $0x91010000 // add x0, x0, #64
	WORD $0x3dc00032 // ldr q18, [x1]
	WORD $0x3dc00c33 // ldr q19, [x1, #48]
	WORD $0x91010021 // add x1, x1, #64
	WORD $0x6e30dcc6 // fmul v6.4s, v6.4s, v16.4s
	WORD $0x6e33dce7 // fmul v7.4s, v7.4s, v19.4s
	WORD $0x6e32dca5 // fmul v5.4s, v5.4s, v18.4s
	WORD $0x6e31dc84 // fmul v4.4s, v4.4s, v17.4s
	WORD $0x4e26d442 // fadd v2.4s, v2.4s, v6.4s
	WORD $0x4e25d400 // fadd v0.4s, v0.4s, v5.4s
	WORD $0x4e27d463 // fadd v3.4s, v3.4s, v7.4s
	WORD $0x4e24d421 // fadd v1.4s, v1.4s, v4.4s
	WORD $0x54fffdeb // b.lt BB0_2
	WORD $0x4e22d400 // BB0_3: fadd v0.4s, v0.4s, v2.4s
	WORD $0x4e23d421 // fadd v1.4s, v1.4s, v3.4s
	WORD $0x4e21d400 // fadd v0.4s, v0.4s, v1.4s
	WORD $0x6e004001 // ext v1.16b, v0.16b, v0.16b, #8
	WORD $0x0e21d400 // fadd v0.2s, v0.2s, v1.2s
	WORD $0x7e30d800 // faddp s0, v0.2s
	FMOVS F0, ret+24(FP)
	RET

// func reduceNEON(row *float32, theta *float32, background *float32, inverse *float32, k int, factor float32)
TEXT ·reduceNEON(SB), NOSPLIT, $0-44
	MOVD row+0(FP), R0
	MOVD theta+8(FP), R1
	MOVD background+16(FP), R2
	MOVD inverse+24(FP), R3
	MOVD k+32(FP), R4
	FMOVS factor+40(FP), F0
	WORD $0xf100049f // cmp x4, #1
	WORD $0x5400056b // b.lt BB1_3
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xad400821 // BB1_2: ldp q1, q2, [x1]
	WORD $0x91004108 // add x8, x8, #16
	WORD $0xad411023 // ldp q3, q4, [x1, #32]
	WORD $0xeb04011f // cmp x8, x4
	WORD $0xad401805 // ldp q5, q6, [x0]
	WORD $0x91010021 // add x1, x1, #64
	WORD $0x4f809021 // fmul v1.4s, v1.4s, v0.s[0]
	WORD $0x4f809042 // fmul v2.4s, v2.4s, v0.s[0]
	WORD $0x4f809063 // fmul v3.4s, v3.4s, v0.s[0]
	WORD $0x4f809084 // fmul v4.4s, v4.4s, v0.s[0]
	WORD $0xad414007 // ldp q7, q16, [x0, #32]
	WORD $0xad404871 // ldp q17, q18, [x3]
	WORD $0x6e21dca1 // fmul v1.4s, v5.4s, v1.4s
	WORD $0x6e22dcc2 // fmul v2.4s, v6.4s, v2.4s
	WORD $0x6e23dce3 // fmul v3.4s, v7.4s, v3.4s
	WORD $0x6e24de04 // fmul v4.4s, v16.4s, v4.4s
	WORD $0x6e21de21 // fmul v1.4s, v17.4s, v1.4s
	WORD $0xad414473 // ldp q19, q17, [x3, #32]
	WORD $0x6e22de42 // fmul v2.4s, v18.4s, v2.4s
	WORD $0x91010063 // add x3, x3, #64
	WORD $0x6e23de63 // fmul v3.4s, v19.4s, v3.4s
	WORD $0x6e24de24 // fmul v4.4s, v17.4s, v4.4s
	WORD $0x4ea1d4a1 // fsub v1.4s, v5.4s, v1.4s
	WORD $0x4ea2d4c2 // fsub v2.4s, v6.4s, v2.4s
	WORD $0xad401845 // ldp q5, q6, [x2]
	WORD $0x4ea3d4e3 // fsub v3.4s, v7.4s, v3.4s
	WORD $0x4ea4d604 // fsub v4.4s, v16.4s, v4.4s
	WORD $0xad414447 // ldp q7, q17, [x2, #32]
	WORD $0x6ea5e430 // fcmgt v16.4s, v1.4s, v5.4s
	WORD $0x6ea6e452 // fcmgt v18.4s, v2.4s, v6.4s
	WORD $0x91010042 // add x2, x2, #64
	WORD $0x6ea7e473 // fcmgt v19.4s, v3.4s, v7.4s
	WORD $0x6eb1e494 // fcmgt v20.4s, v4.4s, v17.4s
	WORD $0x6ef01ca1 // bif v1.16b, v5.16b, v16.16b
	WORD $0x6ef21cc2 // bif v2.16b, v6.16b, v18.16b
	WORD $0x6ef31ce3 // bif v3.16b, v7.16b, v19.16b
	WORD $0x6ef41e24 // bif v4.16b, v17.16b, v20.16b
	WORD $0xad000801 // stp q1, q2, [x0]
	WORD $0xad011003 // stp q3, q4, [x0, #32]
	WORD $0x91010000 // add x0, x0, #64
	WORD $0x54fffb0b // b.lt BB1_2
	RET

// func reestimateNEON(theta *float32, next *float32, alpha *float32, k int)
TEXT ·reestimateNEON(SB), NOSPLIT, $0-32
	MOVD theta+0(FP), R0
	MOVD next+8(FP), R1
	MOVD alpha+16(FP), R2
	MOVD k+24(FP), R3
	WORD $0xf100047f // cmp x3, #1
	WORD $0x540002ab // b.lt BB2_3
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xad410800 // BB2_2: ldp q0, q2, [x0, #32]
	WORD $0x91004108 // add x8, x8, #16
	WORD $0xad410c21 // ldp q1, q3, [x1, #32]
	WORD $0xeb03011f // cmp x8, x3
	WORD $0xacc21825 // ldp q5, q6, [x1], #64
	WORD $0x6e21dc00 // fmul v0.4s, v0.4s, v1.4s
	WORD $0xad400404 // ldp q4, q1, [x0]
	WORD $0x6e23dc42 // fmul v2.4s, v2.4s, v3.4s
	WORD $0x6e25dc83 // fmul v3.4s, v4.4s, v5.4s
	WORD $0xad411444 // ldp q4, q5, [x2, #32]
	WORD $0x6e26dc21 // fmul v1.4s, v1.4s, v6.4s
	WORD $0x4e20d480 // fadd v0.4s, v4.4s, v0.4s
	WORD $0x4e22d4a2 // fadd v2.4s, v5.4s, v2.4s
	WORD $0xacc21844 // ldp q4, q6, [x2], #64
	WORD $0x4e23d483 // fadd v3.4s, v4.4s, v3.4s
	WORD $0x4e21d4c1 // fadd v1.4s, v6.4s, v1.4s
	WORD $0xad010800 // stp q0, q2, [x0, #32]
	WORD $0xac820403 // stp q3, q1, [x0], #64
	WORD $0x54fffdcb // b.lt BB2_2
	RET

// func responsibilitiesNEON(next *float32, theta *float32, phi *float32, counts *float32, k int, rows int)
TEXT ·responsibilitiesNEON(SB), NOSPLIT, $0-48
	MOVD next+0(FP), R0
	MOVD theta+8(FP), R1
	MOVD phi+16(FP), R2
	MOVD counts+24(FP), R3
	MOVD k+32(FP), R4
	MOVD rows+40(FP), R5
	WORD $0xf10004bf // cmp x5, #1
	WORD $0x5400086b // b.lt BB3_9
	WORD $0xd37ef488 // lsl x8, x4, #2
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x14000005 // b BB3_3
	WORD $0x91000529 // BB3_2: add x9, x9, #1
	WORD $0x8b080042 // add x2, x2, x8
	WORD $0xeb05013f // cmp x9, x5
	WORD $0x54000780 // b.eq BB3_9
	WORD $0xf100049f // BB3_3: cmp x4, #1
	WORD $0x54ffff6b // b.lt BB3_2
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0xaa1f03ea // mov x10, xzr
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0xaa1f03eb // mov x11, xzr
	WORD $0x8b0a002c // BB3_5: add x12, x1, x10
	WORD $0x8b0a004d // add x13, x2, x10
	WORD $0x9100416b // add x11, x11, #16
	WORD $0xad411185 // ldp q5, q4, [x12, #32]
	WORD $0xeb04017f // cmp x11, x4
	WORD $0xad401987 // ldp q7, q6, [x12]
	WORD $0x9101014a // add x10, x10, #64
	WORD $0xad4141b1 // ldp q17, q16, [x13, #32]
	WORD $0xad4049b3 // ldp q19, q18, [x13]
	WORD $0x6e30dc84 // fmul v4.4s, v4.4s, v16.4s
	WORD $0x6e31dca5 // fmul v5.4s, v5.4s, v17.4s
	WORD $0x6e33dce7 // fmul v7.4s, v7.4s, v19.4s
	WORD $0x6e32dcc6 // fmul v6.4s, v6.4s, v18.4s
	WORD $0x4e24d463 // fadd v3.4s, v3.4s, v4.4s
	WORD $0x4e25d442 // fadd v2.4s, v2.4s, v5.4s
	WORD $0x4e26d421 // fadd v1.4s, v1.4s, v6.4s
	WORD $0x4e27d400 // fadd v0.4s, v0.4s, v7.4s
	WORD $0x54fffdeb // b.lt BB3_5
	WORD $0xf100049f // cmp x4, #1
	WORD $0x54fffc2b // b.lt BB3_2
	WORD $0x4e22d400 // fadd v0.4s, v0.4s, v2.4s
	WORD $0x4e23d421 // fadd v1.4s, v1.4s, v3.4s
	WORD $0xaa1f03ea // mov x10, xzr
	WORD $0xaa1f03eb // mov x11, xzr
	WORD $0x4e21d400 // fadd v0.4s, v0.4s, v1.4s
	WORD $0x6e004001 // ext v1.16b, v0.16b, v0.16b, #8
	WORD $0x0e21d400 // fadd v0.2s, v0.2s, v1.2s
	WORD $0xbc697861 // ldr s1, [x3, x9, lsl #2]
	WORD $0x7e30d800 // faddp s0, v0.2s
	WORD $0x1e201820 // fdiv s0, s1, s0
	WORD $0x8b0a004c // BB3_8: add x12, x2, x10
	WORD $0x9100416b // add x11, x11, #16
	WORD $0xad400981 // ldp q1, q2, [x12]
	WORD $0xeb04017f // cmp x11, x4
	WORD $0xad411183 // ldp q3, q4, [x12, #32]
	WORD $0x8b0a000c // add x12, x0, x10
	WORD $0xad401985 // ldp q5, q6, [x12]
	WORD $0x9101014a // add x10, x10, #64
	WORD $0x4f809021 // fmul v1.4s, v1.4s, v0.s[0]
	WORD $0x4f809042 // fmul v2.4s, v2.4s, v0.s[0]
	WORD $0x4f809063 // fmul v3.4s, v3.4s, v0.s[0]
	WORD $0x4f809084 // fmul v4.4s, v4.4s, v0.s[0]
	WORD $0x4e21d4a1 // fadd v1.4s, v5.4s, v1.4s
	WORD $0xad411d85 // ldp q5, q7, [x12, #32]
	WORD $0x4e22d4c2 // fadd v2.4s, v6.4s, v2.4s
	WORD $0x4e23d4a3 // fadd v3.4s, v5.4s, v3.4s
	WORD $0x4e24d4e4 // fadd v4.4s, v7.4s, v4.4s
	WORD $0xad000981 // stp q1, q2, [x12]
	WORD $0xad011183 // stp q3, q4, [x12, #32]
	WORD $0x54fffdab // b.lt BB3_8
	WORD $0x17ffffc2 // b BB3_2
	RET
