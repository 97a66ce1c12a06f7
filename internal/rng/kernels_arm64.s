// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 0808651573c631a53d41e2f74f244a0b. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func blocksNEON(a *blocksArgs)
TEXT ·blocksNEON(SB), 0, $144-8
	MOVD a+0(FP), R0
	WORD $0xf9401c0f // ldr x15, [x0, #56]
	WORD $0xf10005ff // cmp x15, #1
	WORD $0x5400240b // b.lt BB1_26
	WORD $0xd10243ff // sub sp, sp, #144
	WORD $0x5283ea6a // mov w10, #8019
	WORD $0x5291aaeb // mov w11, #36183
	WORD $0x6f00e400 // movi v0.2d, #0000000000000000
	WORD $0x72ba4a2a // movk w10, #53841, lsl #16
	WORD $0x72b9b3cb // movk w11, #52638, lsl #16
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x4e040d41 // dup v1.4s, w10
	WORD $0x4e040d62 // dup v2.4s, w11
	WORD $0x910003ea // mov x10, sp
	WORD $0xaa1f03e9 // mov x9, xzr
	WORD $0xaa1f03f0 // mov x16, xzr
	WORD $0x9101814b // add x11, x10, #96
	WORD $0x9100814c // add x12, x10, #32
	WORD $0x9101014d // add x13, x10, #64
	WORD $0x6d0823e9 // stp d9, d8, [sp, #128]
	WORD $0x14000013 // b BB1_4
	WORD $0xf9400010 // BB1_2: ldr x16, [x0]
	WORD $0x8b0f0210 // add x16, x16, x15
	WORD $0xad001606 // stp q6, q5, [x16]
	WORD $0xf9400410 // ldr x16, [x0, #8]
	WORD $0x8b0f0210 // add x16, x16, x15
	WORD $0xad005204 // stp q4, q20, [x16]
	WORD $0xf9400810 // ldr x16, [x0, #16]
	WORD $0x8b0f0210 // add x16, x16, x15
	WORD $0xad001e03 // stp q3, q7, [x16]
	WORD $0xf9400c10 // ldr x16, [x0, #24]
	WORD $0x8b0f020f // add x15, x16, x15
	WORD $0xad004df2 // stp q18, q19, [x15]
	WORD $0xf9401c0f // BB1_3: ldr x15, [x0, #56]
	WORD $0xd1002129 // sub x9, x9, #8
	WORD $0x91008108 // add x8, x8, #32
	WORD $0xaa0e03f0 // mov x16, x14
	WORD $0xeb0f01df // cmp x14, x15
	WORD $0x54001f6a // b.ge BB1_25
	WORD $0x9100c00e // BB1_4: add x14, x0, #48
	WORD $0x9100d011 // add x17, x0, #52
	WORD $0x4d40c9c4 // ld1r { v4.4s }, [x14]
	WORD $0x4d40ca23 // ld1r { v3.4s }, [x17]
	WORD $0x9100220e // add x14, x16, #8
	WORD $0xeb0f01df // cmp x14, x15
	WORD $0x5400134d // b.le BB1_23
	WORD $0x6f00e410 // movi v16.2d, #0000000000000000
	WORD $0x6f00e412 // movi v18.2d, #0000000000000000
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x6f00e405 // movi v5.2d, #0000000000000000
	WORD $0xad0003e0 // stp q0, q0, [sp]
	WORD $0xad0103e0 // stp q0, q0, [sp, #32]
	WORD $0xad0203e0 // stp q0, q0, [sp, #64]
	WORD $0xad0303e0 // stp q0, q0, [sp, #96]
	WORD $0x5400022d // b.le BB1_9
	WORD $0xa9420803 // ldp x3, x2, [x0, #32]
	WORD $0xaa1f03f1 // mov x17, xzr
	WORD $0x8b0901e1 // add x1, x15, x9
	WORD $0x8b080042 // add x2, x2, x8
	WORD $0x8b080063 // add x3, x3, x8
	WORD $0xd37ef624 // BB1_7: lsl x4, x17, #2
	WORD $0x91000631 // add x17, x17, #1
	WORD $0xeb11003f // cmp x1, x17
	WORD $0xb8646865 // ldr w5, [x3, x4]
	WORD $0x8b040146 // add x6, x10, x4
	WORD $0xb8646844 // ldr w4, [x2, x4]
	WORD $0xb90000c5 // str w5, [x6]
	WORD $0xb90060c4 // str w4, [x6, #96]
	WORD $0x54ffff01 // b.ne BB1_7
	WORD $0xad4017e6 // ldp q6, q5, [sp]
	WORD $0xad434bf0 // ldp q16, q18, [sp, #96]
	WORD $0xf9402011 // BB1_9: ldr x17, [x0, #64]
	WORD $0x4ea41c94 // mov v20.16b, v4.16b
	WORD $0x4ea31c67 // mov v7.16b, v3.16b
	WORD $0x52800141 // mov w1, #10
	WORD $0x91002231 // add x17, x17, #8
	WORD $0x6ea1c0b1 // BB1_10: umull2 v17.2d, v5.4s, v1.4s
	WORD $0x2ea1c0b7 // umull v23.2d, v5.2s, v1.2s
	WORD $0xd1001222 // sub x2, x17, #4
	WORD $0x4d40c859 // ld1r { v25.4s }, [x2]
	WORD $0x6ea1c0d3 // umull2 v19.2d, v6.4s, v1.4s
	WORD $0x6ea2c0f6 // umull2 v22.2d, v7.4s, v2.4s
	WORD $0x2ea2c0f8 // umull v24.2d, v7.2s, v2.2s
	WORD $0x2ea1c0da // umull v26.2d, v6.2s, v1.2s
	WORD $0xd1002222 // sub x2, x17, #8
	WORD $0x6ea2c075 // umull2 v21.2d, v3.4s, v2.4s
	WORD $0x2ea2c07b // umull v27.2d, v3.2s, v2.2s
	WORD $0x4d40c85c // ld1r { v28.4s }, [x2]
	WORD $0x4e915af7 // uzp2 v23.4s, v23.4s, v17.4s
	WORD $0x6e391e52 // eor v18.16b, v18.16b, v25.16b
	WORD $0xaa1103e2 // mov x2, x17
	WORD $0x6e391e19 // eor v25.16b, v16.16b, v25.16b
	WORD $0x2ea1c0c6 // umull v6.2d, v6.2s, v1.2s
	WORD $0xf1000821 // subs x1, x1, #2
	WORD $0x4e965b18 // uzp2 v24.4s, v24.4s, v22.4s
	WORD $0x4e935b5a // uzp2 v26.4s, v26.4s, v19.4s
	WORD $0x91004231 // add x17, x17, #16
	WORD $0x4e955b7b // uzp2 v27.4s, v27.4s, v21.4s
	WORD $0x6e3c1e94 // eor v20.16b, v20.16b, v28.16b
	WORD $0x2ea1c0a5 // umull v5.2d, v5.2s, v1.2s
	WORD $0x6e371e50 // eor v16.16b, v18.16b, v23.16b
	WORD $0x6e3c1c97 // eor v23.16b, v4.16b, v28.16b
	WORD $0x2ea2c0e7 // umull v7.2d, v7.2s, v2.2s
	WORD $0x2ea2c063 // umull v3.2d, v3.2s, v2.2s
	WORD $0x6e381e92 // eor v18.16b, v20.16b, v24.16b
	WORD $0x6e3a1f24 // eor v4.16b, v25.16b, v26.16b
	WORD $0x6ea2c214 // umull2 v20.2d, v16.4s, v2.4s
	WORD $0x2ea2c218 // umull v24.2d, v16.2s, v2.2s
	WORD $0x6e3b1ef7 // eor v23.16b, v23.16b, v27.16b
	WORD $0x6ea1c259 // umull2 v25.2d, v18.4s, v1.4s
	WORD $0x2ea1c25a // umull v26.2d, v18.2s, v1.2s
	WORD $0x6ea2c09b // umull2 v27.2d, v4.4s, v2.4s
	WORD $0x2ea2c09c // umull v28.2d, v4.2s, v2.2s
	WORD $0x6ea1c2fd // umull2 v29.2d, v23.4s, v1.4s
	WORD $0x2ea1c2fe // umull v30.2d, v23.2s, v1.2s
	WORD $0x4e945b18 // uzp2 v24.4s, v24.4s, v20.4s
	WORD $0x2ea1c2f7 // umull v23.2d, v23.2s, v1.2s
	WORD $0x2ea1c252 // umull v18.2d, v18.2s, v1.2s
	WORD $0x2ea2c084 // umull v4.2d, v4.2s, v2.2s
	WORD $0x4e995b5a // uzp2 v26.4s, v26.4s, v25.4s
	WORD $0x4e9b5b9c // uzp2 v28.4s, v28.4s, v27.4s
	WORD $0x4e9d5bde // uzp2 v30.4s, v30.4s, v29.4s
	WORD $0x6f20a71f // ushll2 v31.2d, v24.4s, #0
	WORD $0x2f20a718 // ushll v24.2d, v24.2s, #0
	WORD $0x4e991a52 // uzp1 v18.4s, v18.4s, v25.4s
	WORD $0x4e9b1884 // uzp1 v4.4s, v4.4s, v27.4s
	WORD $0x6f20a748 // ushll2 v8.2d, v26.4s, #0
	WORD $0x2f20a75a // ushll v26.2d, v26.2s, #0
	WORD $0x2f20a789 // ushll v9.2d, v28.2s, #0
	WORD $0x6f20a79c // ushll2 v28.2d, v28.4s, #0
	WORD $0x6e3f1ed6 // eor v22.16b, v22.16b, v31.16b
	WORD $0x2f20a7df // ushll v31.2d, v30.2s, #0
	WORD $0x6f20a7de // ushll2 v30.2d, v30.4s, #0
	WORD $0x6e381ce7 // eor v7.16b, v7.16b, v24.16b
	WORD $0x6e281e31 // eor v17.16b, v17.16b, v8.16b
	WORD $0x6e3a1ca5 // eor v5.16b, v5.16b, v26.16b
	WORD $0x2ea2c218 // umull v24.2d, v16.2s, v2.2s
	WORD $0x4ddfc85a // ld1r { v26.4s }, [x2], #4
	WORD $0x6e3c1eb5 // eor v21.16b, v21.16b, v28.16b
	WORD $0x6e291c63 // eor v3.16b, v3.16b, v9.16b
	WORD $0x6e3e1e73 // eor v19.16b, v19.16b, v30.16b
	WORD $0x6e3f1cc6 // eor v6.16b, v6.16b, v31.16b
	WORD $0x4e9618e7 // uzp1 v7.4s, v7.4s, v22.4s
	WORD $0x4e9118b1 // uzp1 v17.4s, v5.4s, v17.4s
	WORD $0x4e9d1af0 // uzp1 v16.4s, v23.4s, v29.4s
	WORD $0x4e941b14 // uzp1 v20.4s, v24.4s, v20.4s
	WORD $0x4e951863 // uzp1 v3.4s, v3.4s, v21.4s
	WORD $0x4d40c855 // ld1r { v21.4s }, [x2]
	WORD $0x4e9318d3 // uzp1 v19.4s, v6.4s, v19.4s
	WORD $0x6e271f45 // eor v5.16b, v26.16b, v7.16b
	WORD $0x6e311ea7 // eor v7.16b, v21.16b, v17.16b
	WORD $0x6e231f46 // eor v6.16b, v26.16b, v3.16b
	WORD $0x6e331ea3 // eor v3.16b, v21.16b, v19.16b
	WORD $0x54fff661 // b.ne BB1_10
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0xad0017e6 // stp q6, q5, [sp]
	WORD $0xad0153e4 // stp q4, q20, [sp, #32]
	WORD $0xad021fe3 // stp q3, q7, [sp, #64]
	WORD $0xad034bf0 // stp q16, q18, [sp, #96]
	WORD $0x54fff02d // b.le BB1_3
	WORD $0x910003f1 // mov x17, sp
	WORD $0xaa1003e1 // mov x1, x16
	WORD $0xf9400002 // BB1_13: ldr x2, [x0]
	WORD $0xb8404623 // ldr w3, [x17], #4
	WORD $0xb8217843 // str w3, [x2, x1, lsl #2]
	WORD $0x91000421 // add x1, x1, #1
	WORD $0xeb0101ff // cmp x15, x1
	WORD $0x54ffff61 // b.ne BB1_13
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0x54ffeeed // b.le BB1_3
	WORD $0xaa0c03f1 // mov x17, x12
	WORD $0xaa1003e1 // mov x1, x16
	WORD $0xf9400402 // BB1_16: ldr x2, [x0, #8]
	WORD $0xb8404623 // ldr w3, [x17], #4
	WORD $0xb8217843 // str w3, [x2, x1, lsl #2]
	WORD $0x91000421 // add x1, x1, #1
	WORD $0xeb0101ff // cmp x15, x1
	WORD $0x54ffff61 // b.ne BB1_16
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0x54ffedad // b.le BB1_3
	WORD $0xaa0d03f1 // mov x17, x13
	WORD $0xaa1003e1 // mov x1, x16
	WORD $0xf9400802 // BB1_19: ldr x2, [x0, #16]
	WORD $0xb8404623 // ldr w3, [x17], #4
	WORD $0xb8217843 // str w3, [x2, x1, lsl #2]
	WORD $0x91000421 // add x1, x1, #1
	WORD $0xeb0101ff // cmp x15, x1
	WORD $0x54ffff61 // b.ne BB1_19
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0x54ffec6d // b.le BB1_3
	WORD $0xaa0b03f1 // mov x17, x11
	WORD $0xf9400c01 // BB1_22: ldr x1, [x0, #24]
	WORD $0xb8404622 // ldr w2, [x17], #4
	WORD $0xb8307822 // str w2, [x1, x16, lsl #2]
	WORD $0x91000610 // add x16, x16, #1
	WORD $0xeb1001ff // cmp x15, x16
	WORD $0x54ffff61 // b.ne BB1_22
	WORD $0x17ffff5b // b BB1_3
	WORD $0xd37ef60f // BB1_23: lsl x15, x16, #2
	WORD $0xa9424410 // ldp x16, x17, [x0, #32]
	WORD $0xf9402001 // ldr x1, [x0, #64]
	WORD $0x4ea31c67 // mov v7.16b, v3.16b
	WORD $0x4ea41c94 // mov v20.16b, v4.16b
	WORD $0x8b0f0210 // add x16, x16, x15
	WORD $0x8b0f0231 // add x17, x17, x15
	WORD $0xad401606 // ldp q6, q5, [x16]
	WORD $0x91002030 // add x16, x1, #8
	WORD $0xad404e32 // ldp q18, q19, [x17]
	WORD $0x52800151 // mov w17, #10
	WORD $0x6ea1c0b0 // BB1_24: umull2 v16.2d, v5.4s, v1.4s
	WORD $0x2ea1c0b7 // umull v23.2d, v5.2s, v1.2s
	WORD $0xd1001201 // sub x1, x16, #4
	WORD $0x4d40c839 // ld1r { v25.4s }, [x1]
	WORD $0x6ea1c0d1 // umull2 v17.2d, v6.4s, v1.4s
	WORD $0x6ea2c0f6 // umull2 v22.2d, v7.4s, v2.4s
	WORD $0x2ea2c0f8 // umull v24.2d, v7.2s, v2.2s
	WORD $0x2ea1c0da // umull v26.2d, v6.2s, v1.2s
	WORD $0xd1002201 // sub x1, x16, #8
	WORD $0x6ea2c075 // umull2 v21.2d, v3.4s, v2.4s
	WORD $0x2ea2c07b // umull v27.2d, v3.2s, v2.2s
	WORD $0x4d40c83c // ld1r { v28.4s }, [x1]
	WORD $0x4e905af7 // uzp2 v23.4s, v23.4s, v16.4s
	WORD $0x6e391e73 // eor v19.16b, v19.16b, v25.16b
	WORD $0xaa1003e1 // mov x1, x16
	WORD $0x6e391e59 // eor v25.16b, v18.16b, v25.16b
	WORD $0x2ea1c0c6 // umull v6.2d, v6.2s, v1.2s
	WORD $0xf1000a31 // subs x17, x17, #2
	WORD $0x4e965b18 // uzp2 v24.4s, v24.4s, v22.4s
	WORD $0x4e915b5a // uzp2 v26.4s, v26.4s, v17.4s
	WORD $0x91004210 // add x16, x16, #16
	WORD $0x4e955b7b // uzp2 v27.4s, v27.4s, v21.4s
	WORD $0x6e3c1e94 // eor v20.16b, v20.16b, v28.16b
	WORD $0x2ea1c0a5 // umull v5.2d, v5.2s, v1.2s
	WORD $0x6e371e72 // eor v18.16b, v19.16b, v23.16b
	WORD $0x6e3c1c97 // eor v23.16b, v4.16b, v28.16b
	WORD $0x2ea2c0e7 // umull v7.2d, v7.2s, v2.2s
	WORD $0x2ea2c063 // umull v3.2d, v3.2s, v2.2s
	WORD $0x6e381e93 // eor v19.16b, v20.16b, v24.16b
	WORD $0x6e3a1f24 // eor v4.16b, v25.16b, v26.16b
	WORD $0x6ea2c254 // umull2 v20.2d, v18.4s, v2.4s
	WORD $0x2ea2c258 // umull v24.2d, v18.2s, v2.2s
	WORD $0x6e3b1ef7 // eor v23.16b, v23.16b, v27.16b
	WORD $0x6ea1c279 // umull2 v25.2d, v19.4s, v1.4s
	WORD $0x2ea1c27a // umull v26.2d, v19.2s, v1.2s
	WORD $0x6ea2c09b // umull2 v27.2d, v4.4s, v2.4s
	WORD $0x2ea2c09c // umull v28.2d, v4.2s, v2.2s
	WORD $0x6ea1c2fd // umull2 v29.2d, v23.4s, v1.4s
	WORD $0x2ea1c2fe // umull v30.2d, v23.2s, v1.2s
	WORD $0x4e945b18 // uzp2 v24.4s, v24.4s, v20.4s
	WORD $0x2ea1c2f7 // umull v23.2d, v23.2s, v1.2s
	WORD $0x2ea1c273 // umull v19.2d, v19.2s, v1.2s
	WORD $0x2ea2c084 // umull v4.2d, v4.2s, v2.2s
	WORD $0x4e995b5a // uzp2 v26.4s, v26.4s, v25.4s
	WORD $0x4e9b5b9c // uzp2 v28.4s, v28.4s, v27.4s
	WORD $0x4e9d5bde // uzp2 v30.4s, v30.4s, v29.4s
	WORD $0x6f20a71f // ushll2 v31.2d, v24.4s, #0
	WORD $0x2f20a718 // ushll v24.2d, v24.2s, #0
	WORD $0x4e991a73 // uzp1 v19.4s, v19.4s, v25.4s
	WORD $0x4e9b1884 // uzp1 v4.4s, v4.4s, v27.4s
	WORD $0x6f20a748 // ushll2 v8.2d, v26.4s, #0
	WORD $0x2f20a75a // ushll v26.2d, v26.2s, #0
	WORD $0x2f20a789 // ushll v9.2d, v28.2s, #0
	WORD $0x6f20a79c // ushll2 v28.2d, v28.4s, #0
	WORD $0x6e3f1ed6 // eor v22.16b, v22.16b, v31.16b
	WORD $0x2f20a7df // ushll v31.2d, v30.2s, #0
	WORD $0x6f20a7de // ushll2 v30.2d, v30.4s, #0
	WORD $0x6e381ce7 // eor v7.16b, v7.16b, v24.16b
	WORD $0x6e281e10 // eor v16.16b, v16.16b, v8.16b
	WORD $0x6e3a1ca5 // eor v5.16b, v5.16b, v26.16b
	WORD $0x2ea2c258 // umull v24.2d, v18.2s, v2.2s
	WORD $0x4ddfc83a // ld1r { v26.4s }, [x1], #4
	WORD $0x6e3c1eb5 // eor v21.16b, v21.16b, v28.16b
	WORD $0x6e291c63 // eor v3.16b, v3.16b, v9.16b
	WORD $0x6e3e1e31 // eor v17.16b, v17.16b, v30.16b
	WORD $0x6e3f1cc6 // eor v6.16b, v6.16b, v31.16b
	WORD $0x4e9618e7 // uzp1 v7.4s, v7.4s, v22.4s
	WORD $0x4e9018b0 // uzp1 v16.4s, v5.4s, v16.4s
	WORD $0x4e9d1af2 // uzp1 v18.4s, v23.4s, v29.4s
	WORD $0x4e941b14 // uzp1 v20.4s, v24.4s, v20.4s
	WORD $0x4e951863 // uzp1 v3.4s, v3.4s, v21.4s
	WORD $0x4d40c835 // ld1r { v21.4s }, [x1]
	WORD $0x4e9118d1 // uzp1 v17.4s, v6.4s, v17.4s
	WORD $0x6e271f45 // eor v5.16b, v26.16b, v7.16b
	WORD $0x6e301ea7 // eor v7.16b, v21.16b, v16.16b
	WORD $0x6e231f46 // eor v6.16b, v26.16b, v3.16b
	WORD $0x6e311ea3 // eor v3.16b, v21.16b, v17.16b
	WORD $0x54fff661 // b.ne BB1_24
	WORD $0x17fffef5 // b BB1_2
	WORD $0x6d4823e9 // BB1_25: ldp d9, d8, [sp, #128]
	WORD $0x910243ff // add sp, sp, #144
	RET

// func fillNEON(dst *uint32, blocks int, keys *schedule, firstBlock uint64, iteration uint32, purpose uint32)
TEXT ·fillNEON(SB), 0, $144-40
	MOVD dst+0(FP), R0
	MOVD blocks+8(FP), R1
	MOVD keys+16(FP), R2
	MOVD firstBlock+24(FP), R3
	MOVWU iteration+32(FP), R4
	MOVWU purpose+36(FP), R5
	JMP code
	PCALIGN $64
	WORD $0x00000004; WORD $0x00000005; WORD $0x00000006; WORD $0x00000007
	WORD $0x00000000; WORD $0x00000001; WORD $0x00000002; WORD $0x00000003
	WORD $0x00000000; WORD $0x00000000; WORD $0x00000000; WORD $0x00000000
	WORD $0x00000000; WORD $0x00000000; WORD $0x00000000; WORD $0x00000000

code:
	WORD $0xf100043f // cmp x1, #1
	WORD $0x54000f8b // b.lt BB0_6
	WORD $0x6dbc3bef // stp d15, d14, [sp, #-64]!
	WORD $0x5283ea6a // mov w10, #8019
	WORD $0x5291aaeb // mov w11, #36183
	WORD $0x4e040c80 // dup v0.4s, w4
	WORD $0x72ba4a2a // movk w10, #53841, lsl #16
	WORD $0x72b9b3cb // movk w11, #52638, lsl #16
	WORD $0x4e040ca1 // dup v1.4s, w5
	WORD $0x10fffce9 // adr x9, .LCPI0_0
	WORD $0x10fffd4c // adr x12, .LCPI0_1
	WORD $0x4e040d42 // dup v2.4s, w10
	WORD $0x4e040d63 // dup v3.4s, w11
	WORD $0x3dc00124 // ldr q4, [x9]
	WORD $0x3dc00185 // ldr q5, [x12]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x91002049 // add x9, x2, #8
	WORD $0x6d0133ed // stp d13, d12, [sp, #16]
	WORD $0x6d022beb // stp d11, d10, [sp, #32]
	WORD $0x6d0323e9 // stp d9, d8, [sp, #48]
	WORD $0x4e040c66 // BB0_2: dup v6.4s, w3
	WORD $0xd360fc6a // lsr x10, x3, #32
	WORD $0xaa0903eb // mov x11, x9
	WORD $0x4e040d58 // dup v24.4s, w10
	WORD $0x5280014a // mov w10, #10
	WORD $0x4ea484d0 // add v16.4s, v6.4s, v4.4s
	WORD $0x4ea584d4 // add v20.4s, v6.4s, v5.4s
	WORD $0x6eb434a6 // cmhi v6.4s, v5.4s, v20.4s
	WORD $0x6eb03487 // cmhi v7.4s, v4.4s, v16.4s
	WORD $0x6ea78713 // sub v19.4s, v24.4s, v7.4s
	WORD $0x6ea68717 // sub v23.4s, v24.4s, v6.4s
	WORD $0x4ea01c15 // mov v21.16b, v0.16b
	WORD $0x4ea01c11 // mov v17.16b, v0.16b
	WORD $0x4ea11c36 // mov v22.16b, v1.16b
	WORD $0x4ea11c32 // mov v18.16b, v1.16b
	WORD $0x6ea2c286 // BB0_3: umull2 v6.2d, v20.4s, v2.4s
	WORD $0x6ea3c259 // umull2 v25.2d, v18.4s, v3.4s
	WORD $0xd100216c // sub x12, x11, #8
	WORD $0x2ea3c25b // umull v27.2d, v18.2s, v3.2s
	WORD $0x6ea2c218 // umull2 v24.2d, v16.4s, v2.4s
	WORD $0x4d40c99e // ld1r { v30.4s }, [x12]
	WORD $0x2ea2c21c // umull v28.2d, v16.2s, v2.2s
	WORD $0x2ea2c29d // umull v29.2d, v20.2s, v2.2s
	WORD $0xd100116c // sub x12, x11, #4
	WORD $0x6ea3c2c7 // umull2 v7.2d, v22.4s, v3.4s
	WORD $0x2ea3c2da // umull v26.2d, v22.2s, v3.2s
	WORD $0x4d40c99f // ld1r { v31.4s }, [x12]
	WORD $0x6e3e1ea8 // eor v8.16b, v21.16b, v30.16b
	WORD $0x6e3e1e3e // eor v30.16b, v17.16b, v30.16b
	WORD $0xaa0b03ec // mov x12, x11
	WORD $0x4e995b7b // uzp2 v27.4s, v27.4s, v25.4s
	WORD $0x2ea2c28e // umull v14.2d, v20.2s, v2.2s
	WORD $0xf100094a // subs x10, x10, #2
	WORD $0x4e985b9c // uzp2 v28.4s, v28.4s, v24.4s
	WORD $0x4e865bbd // uzp2 v29.4s, v29.4s, v6.4s
	WORD $0x9100416b // add x11, x11, #16
	WORD $0x4e875b5a // uzp2 v26.4s, v26.4s, v7.4s
	WORD $0x6e3f1e69 // eor v9.16b, v19.16b, v31.16b
	WORD $0x6e3f1eff // eor v31.16b, v23.16b, v31.16b
	WORD $0x2ea2c20f // umull v15.2d, v16.2s, v2.2s
	WORD $0x2ea3c2d4 // umull v20.2d, v22.2s, v3.2s
	WORD $0x2ea3c250 // umull v16.2d, v18.2s, v3.2s
	WORD $0x6e3b1fde // eor v30.16b, v30.16b, v27.16b
	WORD $0x6e3c1d3b // eor v27.16b, v9.16b, v28.16b
	WORD $0x6e3d1ffd // eor v29.16b, v31.16b, v29.16b
	WORD $0x6e3a1d08 // eor v8.16b, v8.16b, v26.16b
	WORD $0x6ea2c3dc // umull2 v28.2d, v30.4s, v2.4s
	WORD $0x2ea2c3cb // umull v11.2d, v30.2s, v2.2s
	WORD $0x2ea2c3d1 // umull v17.2d, v30.2s, v2.2s
	WORD $0x6ea3c369 // umull2 v9.2d, v27.4s, v3.4s
	WORD $0x2ea3c36a // umull v10.2d, v27.2s, v3.2s
	WORD $0x6ea3c3ac // umull2 v12.2d, v29.4s, v3.4s
	WORD $0x2ea3c3ad // umull v13.2d, v29.2s, v3.2s
	WORD $0x6ea2c11a // umull2 v26.2d, v8.4s, v2.4s
	WORD $0x2ea2c11f // umull v31.2d, v8.2s, v2.2s
	WORD $0x2ea2c115 // umull v21.2d, v8.2s, v2.2s
	WORD $0x2ea3c3bd // umull v29.2d, v29.2s, v3.2s
	WORD $0x4e9c596b // uzp2 v11.4s, v11.4s, v28.4s
	WORD $0x4e89594a // uzp2 v10.4s, v10.4s, v9.4s
	WORD $0x4e8c59ad // uzp2 v13.4s, v13.4s, v12.4s
	WORD $0x4e9a5bff // uzp2 v31.4s, v31.4s, v26.4s
	WORD $0x6f20a577 // ushll2 v23.2d, v11.4s, #0
	WORD $0x2f20a553 // ushll v19.2d, v10.2s, #0
	WORD $0x6f20a556 // ushll2 v22.2d, v10.4s, #0
	WORD $0x2f20a56a // ushll v10.2d, v11.2s, #0
	WORD $0x2f20a5be // ushll v30.2d, v13.2s, #0
	WORD $0x6f20a5a8 // ushll2 v8.2d, v13.4s, #0
	WORD $0x2f20a7f2 // ushll v18.2d, v31.2s, #0
	WORD $0x6f20a7ff // ushll2 v31.2d, v31.4s, #0
	WORD $0x6e361f36 // eor v22.16b, v25.16b, v22.16b
	WORD $0x6e331e10 // eor v16.16b, v16.16b, v19.16b
	WORD $0x6e281ce7 // eor v7.16b, v7.16b, v8.16b
	WORD $0x6e3e1e93 // eor v19.16b, v20.16b, v30.16b
	WORD $0x6e371f14 // eor v20.16b, v24.16b, v23.16b
	WORD $0x6e2a1df7 // eor v23.16b, v15.16b, v10.16b
	WORD $0x6e3f1cc6 // eor v6.16b, v6.16b, v31.16b
	WORD $0x6e321dd2 // eor v18.16b, v14.16b, v18.16b
	WORD $0x2ea3c378 // umull v24.2d, v27.2s, v3.2s
	WORD $0x4ddfc999 // ld1r { v25.4s }, [x12], #4
	WORD $0x4e871a67 // uzp1 v7.4s, v19.4s, v7.4s
	WORD $0x4e961a1b // uzp1 v27.4s, v16.4s, v22.4s
	WORD $0x4e861a46 // uzp1 v6.4s, v18.4s, v6.4s
	WORD $0x4e941afe // uzp1 v30.4s, v23.4s, v20.4s
	WORD $0x4e9c1a33 // uzp1 v19.4s, v17.4s, v28.4s
	WORD $0x4e9a1ab7 // uzp1 v23.4s, v21.4s, v26.4s
	WORD $0x4d40c99a // ld1r { v26.4s }, [x12]
	WORD $0x4e891b11 // uzp1 v17.4s, v24.4s, v9.4s
	WORD $0x4e8c1bb5 // uzp1 v21.4s, v29.4s, v12.4s
	WORD $0x6e3b1f30 // eor v16.16b, v25.16b, v27.16b
	WORD $0x6e271f34 // eor v20.16b, v25.16b, v7.16b
	WORD $0x6e3e1f52 // eor v18.16b, v26.16b, v30.16b
	WORD $0x6e261f56 // eor v22.16b, v26.16b, v6.16b
	WORD $0x54fff661 // b.ne BB0_3
	WORD $0x9102000a // add x10, x0, #128
	WORD $0x4c9f0814 // st4 { v20.4s, v21.4s, v22.4s, v23.4s }, [x0], #64
	WORD $0x91002108 // add x8, x8, #8
	WORD $0x91002063 // add x3, x3, #8
	WORD $0xeb01011f // cmp x8, x1
	WORD $0x4c000810 // st4 { v16.4s, v17.4s, v18.4s, v19.4s }, [x0]
	WORD $0xaa0a03e0 // mov x0, x10
	WORD $0x54fff38b // b.lt BB0_2
	WORD $0x6d4323e9 // ldp d9, d8, [sp, #48]
	WORD $0x6d422beb // ldp d11, d10, [sp, #32]
	WORD $0x6d4133ed // ldp d13, d12, [sp, #16]
	WORD $0x6cc43bef // ldp d15, d14, [sp], #64
	RET
