// Responsibilities of zero-order cvb as bytes: what its kernels share. Portable Go and the definition: share.go and
// update.go in internal/sampler/cvb.
//
// A row of counts or of bytes has 64 topics a chunk: lane l of 16 has the topics k ≡ l (mod 16), and four of them,
// l, l + 16, l + 32 and l + 48, lie side by side, so that a lane reads them at once. Rows are pad topics long, whole
// chunks.
#pragma once
#include "device.h"

const u32 kWidth = 16;  // lanes that a sum is over
const u32 kChunk = 64;  // topics of a chunk

// The place of topic k in a row, and the topic at a place.
__device__ u32 placeOf(u32 k) { return k / kChunk * kChunk + k % kWidth * 4 + k / kWidth % 4; }
__device__ u32 topicAt(u32 place) { return place / kChunk * kChunk + place % 4 * kWidth + place % kChunk / 4; }

// A half-warp updates a pair of few topics, and a whole warp one of more.
const u32 kFew = 128;          // topics, at most, of pairs that have a half-warp
const u32 kMany = 512;         // topics beyond which a tile has fewer threads, because each needs more registers
const u32 kThreads = 512;      // threads of a tile at most
const u32 kThreadsMany = 256;  // threads of a tile at most, beyond kMany topics

const u32 kNone = 0x80;  // the byte of γ = 0
const u32 kFourNone = 0x80808080u;

// Encoded is a byte and the t that it stands for: encode of share.go.
struct Encoded {
  u32 code;
  float t;

  __device__ Encoded(float y) {
    const u32 bits = __builtin_bit_cast(u32, y + 32.0f) + (1u << 17);
    code = bits >> 18 & 0xff;
    t = __builtin_bit_cast(float, bits & ~0x3ffffu);
  }
};

// decode of share.go, for byte j of four.
__device__ float decode(u32 codes, u32 j) {
  const u32 code = (u32)(int)(signed char)(codes >> 8 * j);
  return __builtin_bit_cast(float, (code << 18) + 0x44000000u);
}

// units of share.go, likewise.
__device__ u32 unitsOf(u32 codes, u32 j) { return (u32)((int)decode(codes, j) - 32); }

// Step is a pair, in the order in which a device updates them.
struct alignas(16) Step {
  u32 doc, word;  // rows
  u32 count;      // tokens
  u32 pair;       // its place in the layout, where its responsibilities are
};

#ifdef __CUDA__
__device__ void prefetch(const void *address) { asm volatile("prefetch.global.L1 [%0];" ::"l"(address)); }
__device__ void atomicAdd(u64 *address, u64 value) { __nvvm_atom_add_gen_ll((long long *)address, (long long)value); }
#else
__device__ void prefetch(const void *) {}
__device__ void atomicAdd(u64 *address, u64 value) { *address += value; }
#endif
