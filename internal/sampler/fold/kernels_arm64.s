// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 3ac6a2a2f7b672555bbc1687975f614b. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func spreadNEON(l *listed)
TEXT ·spreadNEON(SB), 0, $144-8
	MOVD l+0(FP), R0
	WORD $0xf9408808 // ldr x8, [x0, #272]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x540010ab // b.lt BB1_4
	WORD $0xd10243ff // sub sp, sp, #144
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x6f00e418 // movi v24.2d, #0000000000000000
	WORD $0xbd412015 // ldr s21, [x0, #288]
	WORD $0x6f00e41b // movi v27.2d, #0000000000000000
	WORD $0x6f00e41d // movi v29.2d, #0000000000000000
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x6f00e410 // movi v16.2d, #0000000000000000
	WORD $0x6f00e411 // movi v17.2d, #0000000000000000
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0x6f00e412 // movi v18.2d, #0000000000000000
	WORD $0x6f00e413 // movi v19.2d, #0000000000000000
	WORD $0x6d053bef // stp d15, d14, [sp, #80]
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x6d0633ed // stp d13, d12, [sp, #96]
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x6f00e407 // movi v7.2d, #0000000000000000
	WORD $0x6d072beb // stp d11, d10, [sp, #112]
	WORD $0x6f00e404 // movi v4.2d, #0000000000000000
	WORD $0x6d0823e9 // stp d9, d8, [sp, #128]
	WORD $0xf940600a // BB1_2: ldr x10, [x0, #192]
	WORD $0xf940780b // ldr x11, [x0, #240]
	WORD $0x91004129 // add x9, x9, #16
	WORD $0xad0077e1 // stp q1, q29, [sp]
	WORD $0xbd412c0e // ldr s14, [x0, #300]
	WORD $0x8b08014a // add x10, x10, x8
	WORD $0x8b08016b // add x11, x11, x8
	WORD $0xad0163fb // stp q27, q24, [sp, #32]
	WORD $0xad41215f // ldp q31, q8, [x10, #32]
	WORD $0x3d8013e0 // str q0, [sp, #64]
	WORD $0xad415d76 // ldp q22, q23, [x11, #32]
	WORD $0xad40354c // ldp q12, q13, [x10]
	WORD $0xf940840a // ldr x10, [x0, #264]
	WORD $0xad406578 // ldp q24, q25, [x11]
	WORD $0x4eb7d51a // fsub v26.4s, v8.4s, v23.4s
	WORD $0x4eb6d7fb // fsub v27.4s, v31.4s, v22.4s
	WORD $0x8b08014a // add x10, x10, x8
	WORD $0x4eb9d5bc // fsub v28.4s, v13.4s, v25.4s
	WORD $0x4eb8d59d // fsub v29.4s, v12.4s, v24.4s
	WORD $0x4e24c77b // fmaxnm v27.4s, v27.4s, v4.4s
	WORD $0x4e24c75a // fmaxnm v26.4s, v26.4s, v4.4s
	WORD $0x4e24c7bd // fmaxnm v29.4s, v29.4s, v4.4s
	WORD $0x4e24c79c // fmaxnm v28.4s, v28.4s, v4.4s
	WORD $0x4f95935a // fmul v26.4s, v26.4s, v21.s[0]
	WORD $0x4f95937b // fmul v27.4s, v27.4s, v21.s[0]
	WORD $0x4f95939c // fmul v28.4s, v28.4s, v21.s[0]
	WORD $0x4f9593b5 // fmul v21.4s, v29.4s, v21.s[0]
	WORD $0x4e3bd6de // fadd v30.4s, v22.4s, v27.4s
	WORD $0x4e3ad6e9 // fadd v9.4s, v23.4s, v26.4s
	WORD $0xad406d5a // ldp q26, q27, [x10]
	WORD $0x4e35d715 // fadd v21.4s, v24.4s, v21.4s
	WORD $0x4e3cd72a // fadd v10.4s, v25.4s, v28.4s
	WORD $0xad41755c // ldp q28, q29, [x10, #32]
	WORD $0xf9406c0a // ldr x10, [x0, #216]
	WORD $0x8b08014a // add x10, x10, x8
	WORD $0x6e29dfa9 // fmul v9.4s, v29.4s, v9.4s
	WORD $0x6e3edf9e // fmul v30.4s, v28.4s, v30.4s
	WORD $0x6e2adf6a // fmul v10.4s, v27.4s, v10.4s
	WORD $0x6e35df55 // fmul v21.4s, v26.4s, v21.4s
	WORD $0xad400154 // ldp q20, q0, [x10]
	WORD $0x4f8e93de // fmul v30.4s, v30.4s, v14.s[0]
	WORD $0x4f8e912b // fmul v11.4s, v9.4s, v14.s[0]
	WORD $0x4f8e914a // fmul v10.4s, v10.4s, v14.s[0]
	WORD $0x4f8e92a9 // fmul v9.4s, v21.4s, v14.s[0]
	WORD $0xad413d4e // ldp q14, q15, [x10, #32]
	WORD $0x4eafd575 // fsub v21.4s, v11.4s, v15.4s
	WORD $0x4eaed7c1 // fsub v1.4s, v30.4s, v14.4s
	WORD $0x4ea0d542 // fsub v2.4s, v10.4s, v0.4s
	WORD $0x4eb4d523 // fsub v3.4s, v9.4s, v20.4s
	WORD $0xad002949 // stp q9, q10, [x10]
	WORD $0x6ea0d540 // fabd v0.4s, v10.4s, v0.4s
	WORD $0xad012d5e // stp q30, q11, [x10, #32]
	WORD $0x6eb4d534 // fabd v20.4s, v9.4s, v20.4s
	WORD $0xf940600a // ldr x10, [x0, #192]
	WORD $0x4e21d7e1 // fadd v1.4s, v31.4s, v1.4s
	WORD $0x4e35d515 // fadd v21.4s, v8.4s, v21.4s
	WORD $0x4e22d5a2 // fadd v2.4s, v13.4s, v2.4s
	WORD $0x4e23d583 // fadd v3.4s, v12.4s, v3.4s
	WORD $0x8b08014a // add x10, x10, x8
	WORD $0x91010108 // add x8, x8, #64
	WORD $0x4eb7d6bf // fsub v31.4s, v21.4s, v23.4s
	WORD $0x4eb6d428 // fsub v8.4s, v1.4s, v22.4s
	WORD $0x4eb9d44c // fsub v12.4s, v2.4s, v25.4s
	WORD $0x4eb8d46d // fsub v13.4s, v3.4s, v24.4s
	WORD $0xad000943 // stp q3, q2, [x10]
	WORD $0xad015541 // stp q1, q21, [x10, #32]
	WORD $0xbd412015 // ldr s21, [x0, #288]
	WORD $0xf940880a // ldr x10, [x0, #272]
	WORD $0x4e24c501 // fmaxnm v1.4s, v8.4s, v4.4s
	WORD $0x4e24c7e2 // fmaxnm v2.4s, v31.4s, v4.4s
	WORD $0x4e24c59f // fmaxnm v31.4s, v12.4s, v4.4s
	WORD $0x4e24c5a3 // fmaxnm v3.4s, v13.4s, v4.4s
	WORD $0xeb0a013f // cmp x9, x10
	WORD $0x4f959042 // fmul v2.4s, v2.4s, v21.s[0]
	WORD $0x4f959021 // fmul v1.4s, v1.4s, v21.s[0]
	WORD $0x4f9593ff // fmul v31.4s, v31.4s, v21.s[0]
	WORD $0x4f959063 // fmul v3.4s, v3.4s, v21.s[0]
	WORD $0x4e21d6c1 // fadd v1.4s, v22.4s, v1.4s
	WORD $0x4e22d6e2 // fadd v2.4s, v23.4s, v2.4s
	WORD $0x6eafd576 // fabd v22.4s, v11.4s, v15.4s
	WORD $0x4e23d703 // fadd v3.4s, v24.4s, v3.4s
	WORD $0x4e3fd737 // fadd v23.4s, v25.4s, v31.4s
	WORD $0x6eaed7d8 // fabd v24.4s, v30.4s, v14.4s
	WORD $0x6e21df99 // fmul v25.4s, v28.4s, v1.4s
	WORD $0x6e22dfbc // fmul v28.4s, v29.4s, v2.4s
	WORD $0x3dc007fd // ldr q29, [sp, #16]
	WORD $0x4e21d652 // fadd v18.4s, v18.4s, v1.4s
	WORD $0x3dc003e1 // ldr q1, [sp]
	WORD $0x4e22d673 // fadd v19.4s, v19.4s, v2.4s
	WORD $0x4e36d7bd // fadd v29.4s, v29.4s, v22.4s
	WORD $0x6e23df56 // fmul v22.4s, v26.4s, v3.4s
	WORD $0x6e37df7a // fmul v26.4s, v27.4s, v23.4s
	WORD $0x3dc00bfb // ldr q27, [sp, #32]
	WORD $0x4e37d631 // fadd v17.4s, v17.4s, v23.4s
	WORD $0x4e23d610 // fadd v16.4s, v16.4s, v3.4s
	WORD $0x4e3cd4e7 // fadd v7.4s, v7.4s, v28.4s
	WORD $0x4e39d4c6 // fadd v6.4s, v6.4s, v25.4s
	WORD $0x4e38d77b // fadd v27.4s, v27.4s, v24.4s
	WORD $0x3dc00ff8 // ldr q24, [sp, #48]
	WORD $0x4e3ad4a5 // fadd v5.4s, v5.4s, v26.4s
	WORD $0x4e36d421 // fadd v1.4s, v1.4s, v22.4s
	WORD $0x4e20d718 // fadd v24.4s, v24.4s, v0.4s
	WORD $0x3dc013e0 // ldr q0, [sp, #64]
	WORD $0x4e34d400 // fadd v0.4s, v0.4s, v20.4s
	WORD $0x54fff30b // b.lt BB1_2
	WORD $0x6d4823e9 // ldp d9, d8, [sp, #128]
	WORD $0x6d472beb // ldp d11, d10, [sp, #112]
	WORD $0x6d4633ed // ldp d13, d12, [sp, #96]
	WORD $0x6d453bef // ldp d15, d14, [sp, #80]
	WORD $0x910243ff // add sp, sp, #144
	WORD $0x1400000d // b BB1_5
	WORD $0x6f00e401 // BB1_4: movi v1.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x6f00e407 // movi v7.2d, #0000000000000000
	WORD $0x6f00e410 // movi v16.2d, #0000000000000000
	WORD $0x6f00e411 // movi v17.2d, #0000000000000000
	WORD $0x6f00e412 // movi v18.2d, #0000000000000000
	WORD $0x6f00e413 // movi v19.2d, #0000000000000000
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x6f00e418 // movi v24.2d, #0000000000000000
	WORD $0x6f00e41b // movi v27.2d, #0000000000000000
	WORD $0x6f00e41d // movi v29.2d, #0000000000000000
	WORD $0x4e32d610 // BB1_5: fadd v16.4s, v16.4s, v18.4s
	WORD $0x4e33d631 // fadd v17.4s, v17.4s, v19.4s
	WORD $0x4e26d424 // fadd v4.4s, v1.4s, v6.4s
	WORD $0x4e27d4a5 // fadd v5.4s, v5.4s, v7.4s
	WORD $0x4e3bd400 // fadd v0.4s, v0.4s, v27.4s
	WORD $0x4e3dd701 // fadd v1.4s, v24.4s, v29.4s
	WORD $0x4e31d606 // fadd v6.4s, v16.4s, v17.4s
	WORD $0x4e25d484 // fadd v4.4s, v4.4s, v5.4s
	WORD $0x4e21d400 // fadd v0.4s, v0.4s, v1.4s
	WORD $0x5e1404c5 // mov s5, v6.s[2]
	WORD $0x5e0c04c7 // mov s7, v6.s[1]
	WORD $0x5e1c04d0 // mov s16, v6.s[3]
	WORD $0x5e140491 // mov s17, v4.s[2]
	WORD $0x5e0c0492 // mov s18, v4.s[1]
	WORD $0x5e1c0493 // mov s19, v4.s[3]
	WORD $0x1e2528c2 // fadd s2, s6, s5
	WORD $0x1e3028e3 // fadd s3, s7, s16
	WORD $0x1e312884 // fadd s4, s4, s17
	WORD $0x1e332a45 // fadd s5, s18, s19
	WORD $0x1e232841 // fadd s1, s2, s3
	WORD $0x5e140403 // mov s3, v0.s[2]
	WORD $0x1e252882 // fadd s2, s4, s5
	WORD $0x5e0c0404 // mov s4, v0.s[1]
	WORD $0x5e1c0405 // mov s5, v0.s[3]
	WORD $0x1e232800 // fadd s0, s0, s3
	WORD $0xbd012401 // str s1, [x0, #292]
	WORD $0x1e211842 // fdiv s2, s2, s1
	WORD $0x1e252883 // fadd s3, s4, s5
	WORD $0x1e232800 // fadd s0, s0, s3
	WORD $0xbd413003 // ldr s3, [x0, #304]
	WORD $0x1e232800 // fadd s0, s0, s3
	WORD $0xbd013000 // str s0, [x0, #304]
	WORD $0xbd012802 // str s2, [x0, #296]
	RET

// func wordsNEON(l *listed)
TEXT ·wordsNEON(SB), 0, $144-8
	MOVD l+0(FP), R0
	WORD $0xf9401008 // ldr x8, [x0, #32]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400204b // b.lt BB0_11
	WORD $0xfc1b0fe8 // str d8, [sp, #-80]!
	WORD $0x6f00e404 // movi v4.2d, #0000000000000000
	WORD $0x2f00e400 // movi d0, #0000000000000000
	WORD $0xf9406008 // ldr x8, [x0, #192]
	WORD $0x6f00e401 // movi v1.2d, #0000000000000000
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0xf9404809 // ldr x9, [x0, #144]
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0xf940540a // ldr x10, [x0, #168]
	WORD $0x1e2e1006 // fmov s6, #1.00000000
	WORD $0xf940300b // ldr x11, [x0, #96]
	WORD $0xf940240c // ldr x12, [x0, #72]
	WORD $0xf940180d // ldr x13, [x0, #48]
	WORD $0xaa1f03ee // mov x14, xzr
	WORD $0xa90167fa // stp x26, x25, [sp, #16]
	WORD $0xa9025ff8 // stp x24, x23, [sp, #32]
	WORD $0xa90357f6 // stp x22, x21, [sp, #48]
	WORD $0xa9044ff4 // stp x20, x19, [sp, #64]
	WORD $0x1400000b // b BB0_3
	WORD $0x1e270a07 // BB0_2: fmul s7, s16, s7
	WORD $0xf9401010 // ldr x16, [x0, #32]
	WORD $0xd37ef5ef // lsl x15, x15, #2
	WORD $0x910005ce // add x14, x14, #1
	WORD $0xeb1001df // cmp x14, x16
	WORD $0x8b0f01ad // add x13, x13, x15
	WORD $0x8b0f018c // add x12, x12, x15
	WORD $0x8b0f016b // add x11, x11, x15
	WORD $0x1e272800 // fadd s0, s0, s7
	WORD $0x54001bca // b.ge BB0_10
	WORD $0xf9400c0f // BB0_3: ldr x15, [x0, #24]
	WORD $0xf86e79ef // ldr x15, [x15, x14, lsl #3]
	WORD $0xf10005ff // cmp x15, #1
	WORD $0x540009ab // b.lt BB0_6
	WORD $0x6f00e407 // movi v7.2d, #0000000000000000
	WORD $0x6f00e410 // movi v16.2d, #0000000000000000
	WORD $0xaa1f03f0 // mov x16, xzr
	WORD $0x6f00e411 // movi v17.2d, #0000000000000000
	WORD $0x6f00e412 // movi v18.2d, #0000000000000000
	WORD $0x910081b1 // add x17, x13, #32
	WORD $0xaa0903e1 // mov x1, x9
	WORD $0xaa0a03e2 // mov x2, x10
	WORD $0xaa0c03e3 // mov x3, x12
	WORD $0xaa0b03e4 // mov x4, x11
	WORD $0x297cce26 // BB0_5: ldp w6, w19, [x17, #-28]
	WORD $0x29401e35 // ldp w21, w7, [x17]
	WORD $0xb85f4237 // ldur w23, [x17, #-12]
	WORD $0xb85e0234 // ldur w20, [x17, #-32]
	WORD $0x91004210 // add x16, x16, #16
	WORD $0x8b060916 // add x22, x8, x6, lsl #2
	WORD $0x8b130906 // add x6, x8, x19, lsl #2
	WORD $0xeb0f021f // cmp x16, x15
	WORD $0x297dce25 // ldp w5, w19, [x17, #-20]
	WORD $0x29426a39 // ldp w25, w26, [x17, #16]
	WORD $0x8b070907 // add x7, x8, x7, lsl #2
	WORD $0xbc757913 // ldr s19, [x8, x21, lsl #2]
	WORD $0x8b170915 // add x21, x8, x23, lsl #2
	WORD $0xbc737916 // ldr s22, [x8, x19, lsl #2]
	WORD $0xbc747915 // ldr s21, [x8, x20, lsl #2]
	WORD $0x8b050905 // add x5, x8, x5, lsl #2
	WORD $0x29415e38 // ldp w24, w23, [x17, #8]
	WORD $0x8b1a091a // add x26, x8, x26, lsl #2
	WORD $0x0d4090f3 // ld1 { v19.s }[1], [x7]
	WORD $0xbc797914 // ldr s20, [x8, x25, lsl #2]
	WORD $0x29434e27 // ldp w7, w19, [x17, #24]
	WORD $0x0d4092b6 // ld1 { v22.s }[1], [x21]
	WORD $0x0d409354 // ld1 { v20.s }[1], [x26]
	WORD $0x0d4092d5 // ld1 { v21.s }[1], [x22]
	WORD $0x297f5634 // ldp w20, w21, [x17, #-8]
	WORD $0x8b180918 // add x24, x8, x24, lsl #2
	WORD $0x8b070907 // add x7, x8, x7, lsl #2
	WORD $0x8b170916 // add x22, x8, x23, lsl #2
	WORD $0x4d4080d5 // ld1 { v21.s }[2], [x6]
	WORD $0xad416097 // ldp q23, q24, [x4, #32]
	WORD $0x8b140914 // add x20, x8, x20, lsl #2
	WORD $0x4d408313 // ld1 { v19.s }[2], [x24]
	WORD $0x4d4080f4 // ld1 { v20.s }[2], [x7]
	WORD $0x8b130907 // add x7, x8, x19, lsl #2
	WORD $0x8b150906 // add x6, x8, x21, lsl #2
	WORD $0x91010231 // add x17, x17, #64
	WORD $0x4d408296 // ld1 { v22.s }[2], [x20]
	WORD $0x4d4090b5 // ld1 { v21.s }[3], [x5]
	WORD $0x4d4092d3 // ld1 { v19.s }[3], [x22]
	WORD $0x4d4090f4 // ld1 { v20.s }[3], [x7]
	WORD $0xacc26899 // ldp q25, q26, [x4], #64
	WORD $0x4d4090d6 // ld1 { v22.s }[3], [x6]
	WORD $0xad41707b // ldp q27, q28, [x3, #32]
	WORD $0x4eb7d677 // fsub v23.4s, v19.4s, v23.4s
	WORD $0x4eb8d698 // fsub v24.4s, v20.4s, v24.4s
	WORD $0x4eb9d6b9 // fsub v25.4s, v21.4s, v25.4s
	WORD $0x4ebad6da // fsub v26.4s, v22.4s, v26.4s
	WORD $0xacc2787d // ldp q29, q30, [x3], #64
	WORD $0x4e24c6f7 // fmaxnm v23.4s, v23.4s, v4.4s
	WORD $0x4e24c718 // fmaxnm v24.4s, v24.4s, v4.4s
	WORD $0xad015053 // stp q19, q20, [x2, #32]
	WORD $0x4e24c739 // fmaxnm v25.4s, v25.4s, v4.4s
	WORD $0xac825855 // stp q21, q22, [x2], #64
	WORD $0x4e24c75a // fmaxnm v26.4s, v26.4s, v4.4s
	WORD $0x6e37df77 // fmul v23.4s, v27.4s, v23.4s
	WORD $0x6e38df93 // fmul v19.4s, v28.4s, v24.4s
	WORD $0x6e39dfb8 // fmul v24.4s, v29.4s, v25.4s
	WORD $0x6e3adfd4 // fmul v20.4s, v30.4s, v26.4s
	WORD $0x4e33d652 // fadd v18.4s, v18.4s, v19.4s
	WORD $0x4e37d631 // fadd v17.4s, v17.4s, v23.4s
	WORD $0xad014c37 // stp q23, q19, [x1, #32]
	WORD $0x4e38d4e7 // fadd v7.4s, v7.4s, v24.4s
	WORD $0x4e34d610 // fadd v16.4s, v16.4s, v20.4s
	WORD $0xac825038 // stp q24, q20, [x1], #64
	WORD $0x54fff80b // b.lt BB0_5
	WORD $0x14000005 // b BB0_7
	WORD $0x6f00e407 // BB0_6: movi v7.2d, #0000000000000000
	WORD $0x6f00e410 // movi v16.2d, #0000000000000000
	WORD $0x6f00e411 // movi v17.2d, #0000000000000000
	WORD $0x6f00e412 // movi v18.2d, #0000000000000000
	WORD $0x4e31d4e7 // BB0_7: fadd v7.4s, v7.4s, v17.4s
	WORD $0x4e32d610 // fadd v16.4s, v16.4s, v18.4s
	WORD $0xbd412411 // ldr s17, [x0, #292]
	WORD $0xf9403c10 // ldr x16, [x0, #120]
	WORD $0xf9400011 // ldr x17, [x0]
	WORD $0xbd412014 // ldr s20, [x0, #288]
	WORD $0xf10005ff // cmp x15, #1
	WORD $0x4e30d4e7 // fadd v7.4s, v7.4s, v16.4s
	WORD $0x6e0740f0 // ext v16.16b, v7.16b, v7.16b, #8
	WORD $0x0e30d4e7 // fadd v7.2s, v7.2s, v16.2s
	WORD $0xbd412810 // ldr s16, [x0, #296]
	WORD $0x1e300a30 // fmul s16, s17, s16
	WORD $0x7e30d8f2 // faddp s18, v7.2s
	WORD $0x1e302a47 // fadd s7, s18, s16
	WORD $0xbc6e7a10 // ldr s16, [x16, x14, lsl #2]
	WORD $0x1e2718c7 // fdiv s7, s6, s7
	WORD $0x1e270a52 // fmul s18, s18, s7
	WORD $0x1e303a53 // fsub s19, s18, s16
	WORD $0xbc6e7a30 // ldr s16, [x17, x14, lsl #2]
	WORD $0x1e330a13 // fmul s19, s16, s19
	WORD $0x1e330a93 // fmul s19, s20, s19
	WORD $0x1e332a31 // fadd s17, s17, s19
	WORD $0xbd012411 // str s17, [x0, #292]
	WORD $0xbc2e7a12 // str s18, [x16, x14, lsl #2]
	WORD $0x54fff14b // b.lt BB0_2
	WORD $0xaa1f03f0 // mov x16, xzr
	WORD $0x910081b1 // add x17, x13, #32
	WORD $0xaa0a03e1 // mov x1, x10
	WORD $0xaa0b03e2 // mov x2, x11
	WORD $0xaa0903e3 // mov x3, x9
	WORD $0xad404871 // BB0_9: ldp q17, q18, [x3]
	WORD $0x91004210 // add x16, x16, #16
	WORD $0xad415474 // ldp q20, q21, [x3, #32]
	WORD $0x91010063 // add x3, x3, #64
	WORD $0xad41585c // ldp q28, q22, [x2, #32]
	WORD $0xeb0f021f // cmp x16, x15
	WORD $0x4f879233 // fmul v19.4s, v17.4s, v7.s[0]
	WORD $0xad406851 // ldp q17, q26, [x2]
	WORD $0x4f879259 // fmul v25.4s, v18.4s, v7.s[0]
	WORD $0x4f879297 // fmul v23.4s, v20.4s, v7.s[0]
	WORD $0x4f8792b5 // fmul v21.4s, v21.4s, v7.s[0]
	WORD $0xad414834 // ldp q20, q18, [x1, #32]
	WORD $0xacc2603b // ldp q27, q24, [x1], #64
	WORD $0x4eb1d671 // fsub v17.4s, v19.4s, v17.4s
	WORD $0xad006453 // stp q19, q25, [x2]
	WORD $0x4ebad739 // fsub v25.4s, v25.4s, v26.4s
	WORD $0x5e0c0773 // mov s19, v27.s[1]
	WORD $0xad015457 // stp q23, q21, [x2, #32]
	WORD $0x5e14077f // mov s31, v27.s[2]
	WORD $0xb85e0224 // ldur w4, [x17, #-32]
	WORD $0x5e1c077a // mov s26, v27.s[3]
	WORD $0x4ebcd6f7 // fsub v23.4s, v23.4s, v28.4s
	WORD $0x4f909231 // fmul v17.4s, v17.4s, v16.s[0]
	WORD $0x4eb6d6b5 // fsub v21.4s, v21.4s, v22.4s
	WORD $0x91010042 // add x2, x2, #64
	WORD $0x4f9092f7 // fmul v23.4s, v23.4s, v16.s[0]
	WORD $0x5e0c063d // mov s29, v17.s[1]
	WORD $0x1e312b7e // fadd s30, s27, s17
	WORD $0x5e140628 // mov s8, v17.s[2]
	WORD $0x5e1c063b // mov s27, v17.s[3]
	WORD $0x4f9092b5 // fmul v21.4s, v21.4s, v16.s[0]
	WORD $0x4ea0fa31 // fabs v17.4s, v17.4s
	WORD $0xbc24791e // str s30, [x8, x4, lsl #2]
	WORD $0x5e1406fc // mov s28, v23.s[2]
	WORD $0x1e3d2a73 // fadd s19, s19, s29
	WORD $0xb85e4224 // ldur w4, [x17, #-28]
	WORD $0x1e282bfd // fadd s29, s31, s8
	WORD $0x4e31d421 // fadd v1.4s, v1.4s, v17.4s
	WORD $0xbc247913 // str s19, [x8, x4, lsl #2]
	WORD $0x4f909333 // fmul v19.4s, v25.4s, v16.s[0]
	WORD $0x1e3b2b59 // fadd s25, s26, s27
	WORD $0xb85e8224 // ldur w4, [x17, #-24]
	WORD $0x5e0c071a // mov s26, v24.s[1]
	WORD $0xbc24791d // str s29, [x8, x4, lsl #2]
	WORD $0xb85ec224 // ldur w4, [x17, #-20]
	WORD $0x5e0c067b // mov s27, v19.s[1]
	WORD $0x1e332b1d // fadd s29, s24, s19
	WORD $0x5e14067e // mov s30, v19.s[2]
	WORD $0xbc247919 // str s25, [x8, x4, lsl #2]
	WORD $0x5e140719 // mov s25, v24.s[2]
	WORD $0x5e1c0718 // mov s24, v24.s[3]
	WORD $0xb85f0224 // ldur w4, [x17, #-16]
	WORD $0x1e3b2b5a // fadd s26, s26, s27
	WORD $0x5e1c067b // mov s27, v19.s[3]
	WORD $0x4ea0fa73 // fabs v19.4s, v19.4s
	WORD $0xbc24791d // str s29, [x8, x4, lsl #2]
	WORD $0xb85f4224 // ldur w4, [x17, #-12]
	WORD $0x1e3e2b39 // fadd s25, s25, s30
	WORD $0xbc24791a // str s26, [x8, x4, lsl #2]
	WORD $0x1e3b2b18 // fadd s24, s24, s27
	WORD $0x5e0c06fa // mov s26, v23.s[1]
	WORD $0xb85f8224 // ldur w4, [x17, #-8]
	WORD $0x1e372a9b // fadd s27, s20, s23
	WORD $0x4e33d442 // fadd v2.4s, v2.4s, v19.4s
	WORD $0xbc247919 // str s25, [x8, x4, lsl #2]
	WORD $0x5e0c0699 // mov s25, v20.s[1]
	WORD $0xb85fc224 // ldur w4, [x17, #-4]
	WORD $0xbc247918 // str s24, [x8, x4, lsl #2]
	WORD $0x5e140698 // mov s24, v20.s[2]
	WORD $0x5e1c0694 // mov s20, v20.s[3]
	WORD $0xb9400224 // ldr w4, [x17]
	WORD $0x1e3a2b36 // fadd s22, s25, s26
	WORD $0x5e1c06f9 // mov s25, v23.s[3]
	WORD $0x5e1406ba // mov s26, v21.s[2]
	WORD $0x4ea0faf7 // fabs v23.4s, v23.4s
	WORD $0xbc24791b // str s27, [x8, x4, lsl #2]
	WORD $0xb9400624 // ldr w4, [x17, #4]
	WORD $0x1e3c2b18 // fadd s24, s24, s28
	WORD $0x1e392a94 // fadd s20, s20, s25
	WORD $0x1e352a59 // fadd s25, s18, s21
	WORD $0xbc247916 // str s22, [x8, x4, lsl #2]
	WORD $0x5e0c0656 // mov s22, v18.s[1]
	WORD $0x4e37d463 // fadd v3.4s, v3.4s, v23.4s
	WORD $0xb9400a24 // ldr w4, [x17, #8]
	WORD $0xbc247918 // str s24, [x8, x4, lsl #2]
	WORD $0x5e0c06b8 // mov s24, v21.s[1]
	WORD $0xb9400e24 // ldr w4, [x17, #12]
	WORD $0xbc247914 // str s20, [x8, x4, lsl #2]
	WORD $0x5e140654 // mov s20, v18.s[2]
	WORD $0x5e1c0652 // mov s18, v18.s[3]
	WORD $0xb9401224 // ldr w4, [x17, #16]
	WORD $0x1e382ad6 // fadd s22, s22, s24
	WORD $0x5e1c06b8 // mov s24, v21.s[3]
	WORD $0x4ea0fab5 // fabs v21.4s, v21.4s
	WORD $0xbc247919 // str s25, [x8, x4, lsl #2]
	WORD $0xb9401624 // ldr w4, [x17, #20]
	WORD $0x1e3a2a94 // fadd s20, s20, s26
	WORD $0x1e382a52 // fadd s18, s18, s24
	WORD $0xbc247916 // str s22, [x8, x4, lsl #2]
	WORD $0x4e35d4a5 // fadd v5.4s, v5.4s, v21.4s
	WORD $0xb9401a24 // ldr w4, [x17, #24]
	WORD $0xbc247914 // str s20, [x8, x4, lsl #2]
	WORD $0xb9401e24 // ldr w4, [x17, #28]
	WORD $0x91010231 // add x17, x17, #64
	WORD $0xbc247912 // str s18, [x8, x4, lsl #2]
	WORD $0x54fff2eb // b.lt BB0_9
	WORD $0x17ffff1a // b BB0_2
	WORD $0xa9444ff4 // BB0_10: ldp x20, x19, [sp, #64]
	WORD $0xa94357f6 // ldp x22, x21, [sp, #48]
	WORD $0xa9425ff8 // ldp x24, x23, [sp, #32]
	WORD $0xa94167fa // ldp x26, x25, [sp, #16]
	WORD $0xfc4507e8 // ldr d8, [sp], #80
	WORD $0x14000006 // b BB0_12
	WORD $0x6f00e401 // BB0_11: movi v1.2d, #0000000000000000
	WORD $0x2f00e400 // movi d0, #0000000000000000
	WORD $0x6f00e402 // movi v2.2d, #0000000000000000
	WORD $0x6f00e403 // movi v3.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0x4e23d421 // BB0_12: fadd v1.4s, v1.4s, v3.4s
	WORD $0x4e25d442 // fadd v2.4s, v2.4s, v5.4s
	WORD $0xbd012c00 // str s0, [x0, #300]
	WORD $0x4e22d421 // fadd v1.4s, v1.4s, v2.4s
	WORD $0x5e140422 // mov s2, v1.s[2]
	WORD $0x5e0c0423 // mov s3, v1.s[1]
	WORD $0x5e1c0424 // mov s4, v1.s[3]
	WORD $0x1e222821 // fadd s1, s1, s2
	WORD $0x1e242862 // fadd s2, s3, s4
	WORD $0x1e222821 // fadd s1, s1, s2
	WORD $0xbd013001 // str s1, [x0, #304]
	RET
