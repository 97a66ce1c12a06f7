// Code generated from kernel/*.c by tools/kernels with clang 19.1.7; sources 41e28ff5bd403e9de8b2795283abde56. DO NOT EDIT.

//go:build !noasm

#include "textflag.h"

// func dntRowNEON(dst *float32, ndk *uint16, alpha *float32, inv *float32, n int)
TEXT ·dntRowNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD ndk+8(FP), R1
	MOVD alpha+16(FP), R2
	MOVD inv+24(FP), R3
	MOVD n+32(FP), R4
	WORD $0xf100049f // cmp x4, #1
	WORD $0x5400038b // b.lt BB2_3
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xacc10021 // BB2_2: ldp q1, q0, [x1], #32
	WORD $0xad411045 // ldp q5, q4, [x2, #32]
	WORD $0x91004108 // add x8, x8, #16
	WORD $0xeb04011f // cmp x8, x4
	WORD $0x6f10a402 // ushll2 v2.4s, v0.8h, #0
	WORD $0x2f10a400 // ushll v0.4s, v0.4h, #0
	WORD $0x6f10a423 // ushll2 v3.4s, v1.8h, #0
	WORD $0x2f10a421 // ushll v1.4s, v1.4h, #0
	WORD $0x6e21d842 // ucvtf v2.4s, v2.4s
	WORD $0x6e21d800 // ucvtf v0.4s, v0.4s
	WORD $0x6e21d863 // ucvtf v3.4s, v3.4s
	WORD $0x6e21d821 // ucvtf v1.4s, v1.4s
	WORD $0x4e22d482 // fadd v2.4s, v4.4s, v2.4s
	WORD $0x4e20d4a0 // fadd v0.4s, v5.4s, v0.4s
	WORD $0xacc21844 // ldp q4, q6, [x2], #64
	WORD $0x4e23d4c3 // fadd v3.4s, v6.4s, v3.4s
	WORD $0xad411466 // ldp q6, q5, [x3, #32]
	WORD $0x4e21d481 // fadd v1.4s, v4.4s, v1.4s
	WORD $0x6e25dc42 // fmul v2.4s, v2.4s, v5.4s
	WORD $0x6e26dc00 // fmul v0.4s, v0.4s, v6.4s
	WORD $0xacc21065 // ldp q5, q4, [x3], #64
	WORD $0x6e24dc63 // fmul v3.4s, v3.4s, v4.4s
	WORD $0x6e25dc21 // fmul v1.4s, v1.4s, v5.4s
	WORD $0xad010800 // stp q0, q2, [x0, #32]
	WORD $0xac820c01 // stp q1, q3, [x0], #64
	WORD $0x54fffceb // b.lt BB2_2
	RET

// func drawTileNEON(a *TileArgs)
TEXT ·drawTileNEON(SB), 0, $144-8
	MOVD a+0(FP), R0
	JMP code
	PCALIGN $64
	WORD $0x0000000c; WORD $0x0000000d; WORD $0x0000000e; WORD $0x0000000f
	WORD $0x00000008; WORD $0x00000009; WORD $0x0000000a; WORD $0x0000000b
	WORD $0x00000004; WORD $0x00000005; WORD $0x00000006; WORD $0x00000007
	WORD $0x00000000; WORD $0x00000001; WORD $0x00000002; WORD $0x00000003
	WORD $0x0000001c; WORD $0x0000001d; WORD $0x0000001e; WORD $0x0000001f
	WORD $0x00000018; WORD $0x00000019; WORD $0x0000001a; WORD $0x0000001b
	WORD $0x00000014; WORD $0x00000015; WORD $0x00000016; WORD $0x00000017
	WORD $0x00000010; WORD $0x00000011; WORD $0x00000012; WORD $0x00000013

code:
	WORD $0xf9409c08 // ldr x8, [x0, #312]
	WORD $0xf100051f // cmp x8, #1
	WORD $0x5400312b // b.lt BB0_18
	WORD $0xd104c3ff // sub sp, sp, #304
	WORD $0x10fffb8a // adr x10, .LCPI0_0
	WORD $0x10fffbeb // adr x11, .LCPI0_1
	WORD $0x6f00e406 // movi v6.2d, #0000000000000000
	WORD $0x3dc00140 // ldr q0, [x10]
	WORD $0x10fffc0a // adr x10, .LCPI0_2
	WORD $0x10fffe6c // adr x12, .LCPI0_7
	WORD $0xf9405c09 // ldr x9, [x0, #184]
	WORD $0x3dc00191 // ldr q17, [x12]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0x3d800be0 // str q0, [sp, #32]
	WORD $0x3dc00160 // ldr q0, [x11]
	WORD $0x10fffc2b // adr x11, .LCPI0_4
	WORD $0x3dc00165 // ldr q5, [x11]
	WORD $0x10fffceb // adr x11, .LCPI0_6
	WORD $0x5280040c // mov w12, #32
	WORD $0x3d8007e0 // str q0, [sp, #16]
	WORD $0x3dc00140 // ldr q0, [x10]
	WORD $0x10fffaea // adr x10, .LCPI0_3
	WORD $0x3dc00144 // ldr q4, [x10]
	WORD $0x10fffbaa // adr x10, .LCPI0_5
	WORD $0x3dc00170 // ldr q16, [x11]
	WORD $0x3dc00147 // ldr q7, [x10]
	WORD $0x528003ea // mov w10, #31
	WORD $0x9100f3eb // add x11, sp, #60
	WORD $0x6d0c3bef // stp d15, d14, [sp, #192]
	WORD $0x6d0d33ed // stp d13, d12, [sp, #208]
	WORD $0x6d0e2beb // stp d11, d10, [sp, #224]
	WORD $0x6d0f23e9 // stp d9, d8, [sp, #240]
	WORD $0xa9105ffd // stp x29, x23, [sp, #256]
	WORD $0xa91157f6 // stp x22, x21, [sp, #272]
	WORD $0xa9124ff4 // stp x20, x19, [sp, #288]
	WORD $0x3d8003e0 // str q0, [sp]
	WORD $0x14000012 // b BB0_3
	WORD $0xbc2f7a12 // BB0_2: str s18, [x16, x15, lsl #2]
	WORD $0x91000508 // add x8, x8, #1
	WORD $0x786379cf // ldrh w15, [x14, x3, lsl #1]
	WORD $0x110005ef // add w15, w15, #1
	WORD $0x782379cf // strh w15, [x14, x3, lsl #1]
	WORD $0x12003de1 // and w1, w15, #0xffff
	WORD $0xbc637a21 // ldr s1, [x17, x3, lsl #2]
	WORD $0x1e230020 // ucvtf s0, w1
	WORD $0x1e202820 // fadd s0, s1, s0
	WORD $0xbc637921 // ldr s1, [x9, x3, lsl #2]
	WORD $0x1e210800 // fmul s0, s0, s1
	WORD $0xbc237a00 // str s0, [x16, x3, lsl #2]
	WORD $0xf940800e // ldr x14, [x0, #256]
	WORD $0x782d79c3 // strh w3, [x14, x13, lsl #1]
	WORD $0xf9409c0d // ldr x13, [x0, #312]
	WORD $0xeb0d011f // cmp x8, x13
	WORD $0x540029ca // b.ge BB0_17
	WORD $0xf940980d // BB0_3: ldr x13, [x0, #304]
	WORD $0xf940740e // ldr x14, [x0, #232]
	WORD $0xf940800f // ldr x15, [x0, #256]
	WORD $0xa941d407 // ldp x7, x21, [x0, #24]
	WORD $0xf9401c11 // ldr x17, [x0, #56]
	WORD $0x786879ad // ldrh w13, [x13, x8, lsl #1]
	WORD $0xb940b001 // ldr w1, [x0, #176]
	WORD $0xf9404c02 // ldr x2, [x0, #152]
	WORD $0xf9403414 // ldr x20, [x0, #104]
	WORD $0x786d79c6 // ldrh w6, [x14, x13, lsl #1]
	WORD $0xf940680e // ldr x14, [x0, #208]
	WORD $0x786d79ef // ldrh w15, [x15, x13, lsl #1]
	WORD $0x9b067cf0 // mul x16, x7, x6
	WORD $0x786d79d3 // ldrh w19, [x14, x13, lsl #1]
	WORD $0x0a060021 // and w1, w1, w6
	WORD $0xb8615841 // ldr w1, [x2, w1, uxtw #2]
	WORD $0x9b137ce4 // mul x4, x7, x19
	WORD $0x8b10062e // add x14, x17, x16, lsl #1
	WORD $0xf9404011 // ldr x17, [x0, #128]
	WORD $0x8b100ab0 // add x16, x21, x16, lsl #2
	WORD $0x786f79c2 // ldrh w2, [x14, x15, lsl #1]
	WORD $0x8b010a31 // add x17, x17, x1, lsl #2
	WORD $0x8b040a81 // add x1, x20, x4, lsl #2
	WORD $0x51000443 // sub w3, w2, #1
	WORD $0x782f79c3 // strh w3, [x14, x15, lsl #1]
	WORD $0xf9408c02 // ldr x2, [x0, #280]
	WORD $0xf9400c04 // ldr x4, [x0, #24]
	WORD $0xbc6f7a32 // ldr s18, [x17, x15, lsl #2]
	WORD $0xbc6f793b // ldr s27, [x9, x15, lsl #2]
	WORD $0xbc6f7a1c // ldr s28, [x16, x15, lsl #2]
	WORD $0xbc6f783d // ldr s29, [x1, x15, lsl #2]
	WORD $0xbd400c1e // ldr s30, [x0, #12]
	WORD $0xb86d7842 // ldr w2, [x2, x13, lsl #2]
	WORD $0xf940c401 // ldr x1, [x0, #392]
	WORD $0xf100049f // cmp x4, #1
	WORD $0x5400068b // b.lt BB0_7
	WORD $0xd37ef4e7 // lsl x7, x7, #2
	WORD $0x6f00e413 // movi v19.2d, #0000000000000000
	WORD $0x6f00e414 // movi v20.2d, #0000000000000000
	WORD $0x6f00e416 // movi v22.2d, #0000000000000000
	WORD $0x6f00e417 // movi v23.2d, #0000000000000000
	WORD $0xaa1f03e5 // mov x5, xzr
	WORD $0x9b0654e6 // madd x6, x7, x6, x21
	WORD $0x6f00e415 // movi v21.2d, #0000000000000000
	WORD $0x6f00e418 // movi v24.2d, #0000000000000000
	WORD $0x6f00e419 // movi v25.2d, #0000000000000000
	WORD $0x6f00e41a // movi v26.2d, #0000000000000000
	WORD $0x9b1350f3 // madd x19, x7, x19, x20
	WORD $0x91010027 // add x7, x1, #64
	WORD $0x910100c6 // add x6, x6, #64
	WORD $0x91010273 // add x19, x19, #64
	WORD $0xad7e7cc8 // BB0_5: ldp q8, q31, [x6, #-64]
	WORD $0x910080a5 // add x5, x5, #32
	WORD $0xad7e2a69 // ldp q9, q10, [x19, #-64]
	WORD $0xeb0400bf // cmp x5, x4
	WORD $0xad7f2ccc // ldp q12, q11, [x6, #-32]
	WORD $0x6e29dd08 // fmul v8.4s, v8.4s, v9.4s
	WORD $0xad7f266d // ldp q13, q9, [x19, #-32]
	WORD $0x6e2adfff // fmul v31.4s, v31.4s, v10.4s
	WORD $0xad4028ce // ldp q14, q10, [x6]
	WORD $0x6e2ddd8c // fmul v12.4s, v12.4s, v13.4s
	WORD $0xad40366f // ldp q15, q13, [x19]
	WORD $0x6e29dd69 // fmul v9.4s, v11.4s, v9.4s
	WORD $0xad412cc0 // ldp q0, q11, [x6, #32]
	WORD $0x4e28d6b5 // fadd v21.4s, v21.4s, v8.4s
	WORD $0x4e3fd718 // fadd v24.4s, v24.4s, v31.4s
	WORD $0x910200c6 // add x6, x6, #128
	WORD $0x6e2fddce // fmul v14.4s, v14.4s, v15.4s
	WORD $0xad413e68 // ldp q8, q15, [x19, #32]
	WORD $0x6e2ddd4a // fmul v10.4s, v10.4s, v13.4s
	WORD $0x4e2cd739 // fadd v25.4s, v25.4s, v12.4s
	WORD $0x91020273 // add x19, x19, #128
	WORD $0x4e29d75a // fadd v26.4s, v26.4s, v9.4s
	WORD $0x6e28dc00 // fmul v0.4s, v0.4s, v8.4s
	WORD $0x6e2fdd7f // fmul v31.4s, v11.4s, v15.4s
	WORD $0xad3e60f5 // stp q21, q24, [x7, #-64]
	WORD $0x4e2ed673 // fadd v19.4s, v19.4s, v14.4s
	WORD $0x4e2ad694 // fadd v20.4s, v20.4s, v10.4s
	WORD $0xad3f68f9 // stp q25, q26, [x7, #-32]
	WORD $0x4e20d6d6 // fadd v22.4s, v22.4s, v0.4s
	WORD $0x4e3fd6f7 // fadd v23.4s, v23.4s, v31.4s
	WORD $0xad0050f3 // stp q19, q20, [x7]
	WORD $0xad015cf6 // stp q22, q23, [x7, #32]
	WORD $0x910200e7 // add x7, x7, #128
	WORD $0x54fffbeb // b.lt BB0_5
	WORD $0xf9400c04 // ldr x4, [x0, #24]
	WORD $0x14000009 // b BB0_8
	WORD $0x6f00e415 // BB0_7: movi v21.2d, #0000000000000000
	WORD $0x6f00e418 // movi v24.2d, #0000000000000000
	WORD $0x6f00e419 // movi v25.2d, #0000000000000000
	WORD $0x6f00e41a // movi v26.2d, #0000000000000000
	WORD $0x6f00e413 // movi v19.2d, #0000000000000000
	WORD $0x6f00e414 // movi v20.2d, #0000000000000000
	WORD $0x6f00e416 // movi v22.2d, #0000000000000000
	WORD $0x6f00e417 // movi v23.2d, #0000000000000000
	WORD $0x12003c63 // BB0_8: and w3, w3, #0xffff
	WORD $0x1e3d0b9c // fmul s28, s28, s29
	WORD $0xeb0f009f // cmp x4, x15
	WORD $0x1e23007f // ucvtf s31, w3
	WORD $0xaa0f03e3 // mov x3, x15
	WORD $0x1e3f2a52 // fadd s18, s18, s31
	WORD $0x1e3b0a52 // fmul s18, s18, s27
	WORD $0x1e3e3bbb // fsub s27, s29, s30
	WORD $0x1e3b0a5b // fmul s27, s18, s27
	WORD $0x1e3b3b9b // fsub s27, s28, s27
	WORD $0x5400010d // b.le BB0_10
	WORD $0xbc637820 // BB0_9: ldr s0, [x1, x3, lsl #2]
	WORD $0x1e3b3800 // fsub s0, s0, s27
	WORD $0xbc237820 // str s0, [x1, x3, lsl #2]
	WORD $0x91008063 // add x3, x3, #32
	WORD $0xf9400c04 // ldr x4, [x0, #24]
	WORD $0xeb04007f // cmp x3, x4
	WORD $0x54ffff4b // b.lt BB0_9
	WORD $0x2f00e400 // BB0_10: movi d0, #0000000000000000
	WORD $0x120011e3 // and w3, w15, #0x1f
	WORD $0x3dc003e3 // ldr q3, [sp]
	WORD $0xad4087e2 // ldp q2, q1, [sp, #16]
	WORD $0xb9003fff // str wzr, [sp, #60]
	WORD $0x1e202b60 // fadd s0, s27, s0
	WORD $0x4e040c7b // dup v27.4s, w3
	WORD $0x53087c43 // lsr w3, w2, #8
	WORD $0xf9400002 // ldr x2, [x0]
	WORD $0x6ea28f7d // cmeq v29.4s, v27.4s, v2.4s
	WORD $0x6ea38f7e // cmeq v30.4s, v27.4s, v3.4s
	WORD $0x6ea18f7c // cmeq v28.4s, v27.4s, v1.4s
	WORD $0x4e040400 // dup v0.4s, v0.s[0]
	WORD $0x6ea48f7f // cmeq v31.4s, v27.4s, v4.4s
	WORD $0x6eb18f68 // cmeq v8.4s, v27.4s, v17.4s
	WORD $0x6ea58f69 // cmeq v9.4s, v27.4s, v5.4s
	WORD $0x6ea78f6a // cmeq v10.4s, v27.4s, v7.4s
	WORD $0x6eb08f7b // cmeq v27.4s, v27.4s, v16.4s
	WORD $0xf100805f // cmp x2, #32
	WORD $0x4e3e1c1e // and v30.16b, v0.16b, v30.16b
	WORD $0x4e3d1c1d // and v29.16b, v0.16b, v29.16b
	WORD $0x4e3c1c1c // and v28.16b, v0.16b, v28.16b
	WORD $0x4e3f1c1f // and v31.16b, v0.16b, v31.16b
	WORD $0x4e281c08 // and v8.16b, v0.16b, v8.16b
	WORD $0x4e3b1c1b // and v27.16b, v0.16b, v27.16b
	WORD $0x4e2a1c0a // and v10.16b, v0.16b, v10.16b
	WORD $0x4e291c00 // and v0.16b, v0.16b, v9.16b
	WORD $0x4ebdd739 // fsub v25.4s, v25.4s, v29.4s
	WORD $0x4ebed718 // fsub v24.4s, v24.4s, v30.4s
	WORD $0x4ebcd75a // fsub v26.4s, v26.4s, v28.4s
	WORD $0x6e0620dc // ext v28.16b, v6.16b, v6.16b, #4
	WORD $0x4ebfd6b5 // fsub v21.4s, v21.4s, v31.4s
	WORD $0x4ebbd694 // fsub v20.4s, v20.4s, v27.4s
	WORD $0x4ea0d6e0 // fsub v0.4s, v23.4s, v0.4s
	WORD $0x4eaad6d6 // fsub v22.4s, v22.4s, v10.4s
	WORD $0x4ea8d673 // fsub v19.4s, v19.4s, v8.4s
	WORD $0x4e8628df // trn1 v31.4s, v6.4s, v6.4s
	WORD $0x6e196317 // ext v23.16b, v24.16b, v25.16b, #12
	WORD $0x6e1a633b // ext v27.16b, v25.16b, v26.16b, #12
	WORD $0x6e1862bd // ext v29.16b, v21.16b, v24.16b, #12
	WORD $0x6e15639e // ext v30.16b, v28.16b, v21.16b, #12
	WORD $0x6e146268 // ext v8.16b, v19.16b, v20.16b, #12
	WORD $0x6e166289 // ext v9.16b, v20.16b, v22.16b, #12
	WORD $0x6e0062ca // ext v10.16b, v22.16b, v0.16b, #12
	WORD $0x4e37d737 // fadd v23.4s, v25.4s, v23.4s
	WORD $0x6e136399 // ext v25.16b, v28.16b, v19.16b, #12
	WORD $0x4e3bd75a // fadd v26.4s, v26.4s, v27.4s
	WORD $0x4e3ed6b5 // fadd v21.4s, v21.4s, v30.4s
	WORD $0x4e3dd718 // fadd v24.4s, v24.4s, v29.4s
	WORD $0x4ebf1ffb // mov v27.16b, v31.16b
	WORD $0x4e2ad400 // fadd v0.4s, v0.4s, v10.4s
	WORD $0x4e29d6d6 // fadd v22.4s, v22.4s, v9.4s
	WORD $0x4e28d694 // fadd v20.4s, v20.4s, v8.4s
	WORD $0x4e39d673 // fadd v19.4s, v19.4s, v25.4s
	WORD $0x6e1a42f9 // ext v25.16b, v23.16b, v26.16b, #8
	WORD $0x6e17431c // ext v28.16b, v24.16b, v23.16b, #8
	WORD $0x6e1842bd // ext v29.16b, v21.16b, v24.16b, #8
	WORD $0x6e1806bb // mov v27.d[1], v21.d[0]
	WORD $0x6e16429e // ext v30.16b, v20.16b, v22.16b, #8
	WORD $0x6e0042c8 // ext v8.16b, v22.16b, v0.16b, #8
	WORD $0x6e144269 // ext v9.16b, v19.16b, v20.16b, #8
	WORD $0x6e18067f // mov v31.d[1], v19.d[0]
	WORD $0x4e39d759 // fadd v25.4s, v26.4s, v25.4s
	WORD $0x4e3bd6b5 // fadd v21.4s, v21.4s, v27.4s
	WORD $0x4e3dd718 // fadd v24.4s, v24.4s, v29.4s
	WORD $0x4e3cd6f7 // fadd v23.4s, v23.4s, v28.4s
	WORD $0x4e28d400 // fadd v0.4s, v0.4s, v8.4s
	WORD $0x4e3ed6d6 // fadd v22.4s, v22.4s, v30.4s
	WORD $0x1e03a07e // ucvtf s30, w3, #24
	WORD $0x51000443 // sub w3, w2, #1
	WORD $0x4e3fd67a // fadd v26.4s, v19.4s, v31.4s
	WORD $0x4e29d69b // fadd v27.4s, v20.4s, v9.4s
	WORD $0x1a8ab063 // csel w3, w3, w10, lt
	WORD $0x4e35d71c // fadd v28.4s, v24.4s, v21.4s
	WORD $0x4e37d733 // fadd v19.4s, v25.4s, v23.4s
	WORD $0x4e38d6f7 // fadd v23.4s, v23.4s, v24.4s
	WORD $0x4e36d400 // fadd v0.4s, v0.4s, v22.4s
	WORD $0x4e040c7f // dup v31.4s, w3
	WORD $0x4e3ad779 // fadd v25.4s, v27.4s, v26.4s
	WORD $0x4e3cd673 // fadd v19.4s, v19.4s, v28.4s
	WORD $0x4e26d798 // fadd v24.4s, v28.4s, v6.4s
	WORD $0x4ea137e8 // cmgt v8.4s, v31.4s, v1.4s
	WORD $0x4ea237e9 // cmgt v9.4s, v31.4s, v2.4s
	WORD $0x4ea737ea // cmgt v10.4s, v31.4s, v7.4s
	WORD $0x4e39d400 // fadd v0.4s, v0.4s, v25.4s
	WORD $0x4e1c067d // dup v29.4s, v19.s[3]
	WORD $0x4e481928 // uzp1 v8.8h, v9.8h, v8.8h
	WORD $0x4e3dd414 // fadd v20.4s, v0.4s, v29.4s
	WORD $0x4e3bd6c0 // fadd v0.4s, v22.4s, v27.4s
	WORD $0x4e26d756 // fadd v22.4s, v26.4s, v6.4s
	WORD $0x4e26d6bb // fadd v27.4s, v21.4s, v6.4s
	WORD $0x5fb49bd5 // fmul s21, s30, v20.s[3]
	WORD $0x4e36d400 // fadd v0.4s, v0.4s, v22.4s
	WORD $0x4e26d73e // fadd v30.4s, v25.4s, v6.4s
	WORD $0x4e26d6d6 // fadd v22.4s, v22.4s, v6.4s
	WORD $0x4e3bd6fa // fadd v26.4s, v23.4s, v27.4s
	WORD $0x4e26d779 // fadd v25.4s, v27.4s, v6.4s
	WORD $0x4e0406bc // dup v28.4s, v21.s[0]
	WORD $0x4e3dd7d7 // fadd v23.4s, v30.4s, v29.4s
	WORD $0x4e3dd41b // fadd v27.4s, v0.4s, v29.4s
	WORD $0x4e3dd6d6 // fadd v22.4s, v22.4s, v29.4s
	WORD $0x4ea337e0 // cmgt v0.4s, v31.4s, v3.4s
	WORD $0x4ea437fd // cmgt v29.4s, v31.4s, v4.4s
	WORD $0x4ea537fe // cmgt v30.4s, v31.4s, v5.4s
	WORD $0x4eb037e3 // cmgt v3.4s, v31.4s, v16.4s
	WORD $0x4eb137ff // cmgt v31.4s, v31.4s, v17.4s
	WORD $0x6e33e78b // fcmge v11.4s, v28.4s, v19.4s
	WORD $0x6e3ae78c // fcmge v12.4s, v28.4s, v26.4s
	WORD $0x6e38e78d // fcmge v13.4s, v28.4s, v24.4s
	WORD $0x6e39e78e // fcmge v14.4s, v28.4s, v25.4s
	WORD $0x6e34e78f // fcmge v15.4s, v28.4s, v20.4s
	WORD $0x6e3be781 // fcmge v1.4s, v28.4s, v27.4s
	WORD $0x6e37e782 // fcmge v2.4s, v28.4s, v23.4s
	WORD $0x6e36e79c // fcmge v28.4s, v28.4s, v22.4s
	WORD $0x4e401ba0 // uzp1 v0.8h, v29.8h, v0.8h
	WORD $0x4e5e195d // uzp1 v29.8h, v10.8h, v30.8h
	WORD $0x4e431be3 // uzp1 v3.8h, v31.8h, v3.8h
	WORD $0xad0263f9 // stp q25, q24, [sp, #64]
	WORD $0x4e4b1989 // uzp1 v9.8h, v12.8h, v11.8h
	WORD $0xad034ffa // stp q26, q19, [sp, #96]
	WORD $0x4e4d19de // uzp1 v30.8h, v14.8h, v13.8h
	WORD $0x4e4f1821 // uzp1 v1.8h, v1.8h, v15.8h
	WORD $0xad045ff6 // stp q22, q23, [sp, #128]
	WORD $0x4e421b82 // uzp1 v2.8h, v28.8h, v2.8h
	WORD $0x0e212800 // xtn v0.8b, v0.8h
	WORD $0xad0553fb // stp q27, q20, [sp, #160]
	WORD $0x0e212863 // xtn v3.8b, v3.8h
	WORD $0x4e291d1c // and v28.16b, v8.16b, v9.16b
	WORD $0x0e212bde // xtn v30.8b, v30.8h
	WORD $0x4e211fa1 // and v1.16b, v29.16b, v1.16b
	WORD $0x0e212842 // xtn v2.8b, v2.8h
	WORD $0x0e212b9c // xtn v28.8b, v28.8h
	WORD $0x0e212821 // xtn v1.8b, v1.8h
	WORD $0x0e3e1c00 // and v0.8b, v0.8b, v30.8b
	WORD $0x0e221c62 // and v2.8b, v3.8b, v2.8b
	WORD $0x0e003b83 // zip1 v3.8b, v28.8b, v0.8b
	WORD $0x0e00781d // zip2 v29.8b, v0.8b, v0.8b
	WORD $0x0e007b9c // zip2 v28.8b, v28.8b, v0.8b
	WORD $0x0e003800 // zip1 v0.8b, v0.8b, v0.8b
	WORD $0x2f10a463 // ushll v3.4s, v3.4h, #0
	WORD $0x2f10a7bd // ushll v29.4s, v29.4h, #0
	WORD $0x2f10a79c // ushll v28.4s, v28.4h, #0
	WORD $0x0e00785e // zip2 v30.8b, v2.8b, v0.8b
	WORD $0x0e00783f // zip2 v31.8b, v1.8b, v0.8b
	WORD $0x0e003842 // zip1 v2.8b, v2.8b, v0.8b
	WORD $0x0e003821 // zip1 v1.8b, v1.8b, v0.8b
	WORD $0x2f10a400 // ushll v0.4s, v0.4h, #0
	WORD $0x4f3f5463 // shl v3.4s, v3.4s, #31
	WORD $0x4f3f57bd // shl v29.4s, v29.4s, #31
	WORD $0x4f3f579c // shl v28.4s, v28.4s, #31
	WORD $0x2f10a7de // ushll v30.4s, v30.4h, #0
	WORD $0x2f10a7ff // ushll v31.4s, v31.4h, #0
	WORD $0x2f10a442 // ushll v2.4s, v2.4h, #0
	WORD $0x2f10a421 // ushll v1.4s, v1.4h, #0
	WORD $0x4f3f5400 // shl v0.4s, v0.4s, #31
	WORD $0x4ea0a863 // cmlt v3.4s, v3.4s, #0
	WORD $0x4ea0abbd // cmlt v29.4s, v29.4s, #0
	WORD $0x4ea0ab9c // cmlt v28.4s, v28.4s, #0
	WORD $0x4f3f57de // shl v30.4s, v30.4s, #31
	WORD $0x4f3f57ff // shl v31.4s, v31.4s, #31
	WORD $0x4f3f5442 // shl v2.4s, v2.4s, #31
	WORD $0x4f3f5421 // shl v1.4s, v1.4s, #31
	WORD $0x4ea0a800 // cmlt v0.4s, v0.4s, #0
	WORD $0x4f2117fc // ssra v28.4s, v31.4s, #31
	WORD $0x4f2117dd // ssra v29.4s, v30.4s, #31
	WORD $0x4f211423 // ssra v3.4s, v1.4s, #31
	WORD $0x4f211440 // ssra v0.4s, v2.4s, #31
	WORD $0x4ebc87a1 // add v1.4s, v29.4s, v28.4s
	WORD $0x4ea38400 // add v0.4s, v0.4s, v3.4s
	WORD $0x4ea18400 // add v0.4s, v0.4s, v1.4s
	WORD $0x4eb1b81c // addv s28, v0.4s
	WORD $0x4e042f83 // smov x3, v28.s[0]
	WORD $0xcb030184 // sub x4, x12, x3
	WORD $0xcb0303e3 // neg x3, x3
	WORD $0xeb02009f // cmp x4, x2
	WORD $0x54ffd9ea // b.ge BB0_2
	WORD $0x1e260385 // fmov w5, s28
	WORD $0xcb25c966 // sub x6, x11, w5, sxtw #2
	WORD $0x93407ca5 // sxtw x5, w5
	WORD $0xbd4000c0 // ldr s0, [x6]
	WORD $0x8b050046 // add x6, x2, x5
	WORD $0xd10084c7 // sub x7, x6, #33
	WORD $0x1e203ab3 // fsub s19, s21, s0
	WORD $0xf1007cff // cmp x7, #31
	WORD $0x54000068 // b.hi BB0_13
	WORD $0xaa0303e5 // mov x5, x3
	WORD $0x14000019 // b BB0_16
	WORD $0xd345fce7 // BB0_13: lsr x7, x7, #5
	WORD $0xcb050835 // sub x21, x1, x5, lsl #2
	WORD $0xaa1f03e6 // mov x6, xzr
	WORD $0x910004e7 // add x7, x7, #1
	WORD $0x927fe8f3 // and x19, x7, #0xffffffffffffffe
	WORD $0xd37bea74 // lsl x20, x19, #5
	WORD $0x8b140084 // add x4, x4, x20
	WORD $0x8b030285 // add x5, x20, x3
	WORD $0x910202b4 // add x20, x21, #128
	WORD $0xaa1303f5 // mov x21, x19
	WORD $0xbc580280 // BB0_14: ldur s0, [x20, #-128]
	WORD $0x1e332000 // fcmp s0, s19
	WORD $0xbd400280 // ldr s0, [x20]
	WORD $0x91040294 // add x20, x20, #256
	WORD $0x1a9f87f6 // cset w22, ls
	WORD $0x1e332000 // fcmp s0, s19
	WORD $0x8b161463 // add x3, x3, x22, lsl #5
	WORD $0x1a9f87f7 // cset w23, ls
	WORD $0xf1000ab5 // subs x21, x21, #2
	WORD $0x8b1714c6 // add x6, x6, x23, lsl #5
	WORD $0x54fffec1 // b.ne BB0_14
	WORD $0xeb1300ff // cmp x7, x19
	WORD $0x8b0300c3 // add x3, x6, x3
	WORD $0x54ffd580 // b.eq BB0_2
	WORD $0xbc657820 // BB0_16: ldr s0, [x1, x5, lsl #2]
	WORD $0xaa0403e5 // mov x5, x4
	WORD $0x91008084 // add x4, x4, #32
	WORD $0x1e332000 // fcmp s0, s19
	WORD $0x1a9f87e6 // cset w6, ls
	WORD $0xeb02009f // cmp x4, x2
	WORD $0x8b061463 // add x3, x3, x6, lsl #5
	WORD $0x54ffff2b // b.lt BB0_16
	WORD $0x17fffea3 // b BB0_2
	WORD $0xa9524ff4 // BB0_17: ldp x20, x19, [sp, #288]
	WORD $0xa95157f6 // ldp x22, x21, [sp, #272]
	WORD $0xa9505ffd // ldp x29, x23, [sp, #256]
	WORD $0x6d4f23e9 // ldp d9, d8, [sp, #240]
	WORD $0x6d4e2beb // ldp d11, d10, [sp, #224]
	WORD $0x6d4d33ed // ldp d13, d12, [sp, #208]
	WORD $0x6d4c3bef // ldp d15, d14, [sp, #192]
	WORD $0x9104c3ff // add sp, sp, #304
	RET

// func floatRowNEON(dst *float32, src *int32, n int, beta float32)
TEXT ·floatRowNEON(SB), NOSPLIT, $0-28
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	FMOVS beta+24(FP), F0
	WORD $0xf100045f // cmp x2, #1
	WORD $0x5400028b // b.lt BB1_3
	WORD $0x4e040400 // dup v0.4s, v0.s[0]
	WORD $0xaa1f03e8 // mov x8, xzr
	WORD $0xad400821 // BB1_2: ldp q1, q2, [x1]
	WORD $0x91004108 // add x8, x8, #16
	WORD $0xad411023 // ldp q3, q4, [x1, #32]
	WORD $0xeb02011f // cmp x8, x2
	WORD $0x91010021 // add x1, x1, #64
	WORD $0x4e21d821 // scvtf v1.4s, v1.4s
	WORD $0x4e21d842 // scvtf v2.4s, v2.4s
	WORD $0x4e21d863 // scvtf v3.4s, v3.4s
	WORD $0x4e21d884 // scvtf v4.4s, v4.4s
	WORD $0x4e21d401 // fadd v1.4s, v0.4s, v1.4s
	WORD $0x4e22d402 // fadd v2.4s, v0.4s, v2.4s
	WORD $0x4e23d403 // fadd v3.4s, v0.4s, v3.4s
	WORD $0x4e24d404 // fadd v4.4s, v0.4s, v4.4s
	WORD $0xad000801 // stp q1, q2, [x0]
	WORD $0xad011003 // stp q3, q4, [x0, #32]
	WORD $0x91010000 // add x0, x0, #64
	WORD $0x54fffe0b // b.lt BB1_2
	RET
