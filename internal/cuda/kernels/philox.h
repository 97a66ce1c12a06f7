// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), bit for bit the generator of internal/rng.
#pragma once
#include "device.h"

struct Key {
  u32 k0, k1;
};

struct Block {
  u32 x[4];
};

// The four words for one counter: rng.Key.Block.
__device__ Block philox(Key key, u32 c0, u32 c1, u32 c2, u32 c3) {
  u32 k0 = key.k0, k1 = key.k1;
#pragma unroll
  for (int round = 0; round < 10; round++) {
    const u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
    const u32 n0 = (u32)(p1 >> 32) ^ c1 ^ k0, n2 = (u32)(p0 >> 32) ^ c3 ^ k1;
    c0 = n0;
    c1 = (u32)p1;
    c2 = n2;
    c3 = (u32)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// Words to numbers: rng.Float32, rng.Float64, rng.Below. Every step is exact.
__device__ float uniform(const Block &b, float) { return (float)(b.x[0] >> 8) * 0x1p-24f; }
__device__ double uniform(const Block &b, double) { return (double)(((u64)b.x[0] << 32 | b.x[1]) >> 11) * 0x1p-53; }
__device__ u32 below(u32 x, u32 n) { return (u32)((u64)x * n >> 32); }
