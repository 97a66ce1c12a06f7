// Random numbers in bulk, and a histogram of them. Portable Go: internal/rng.
#include "philox.h"

// out (4n words): words 4i … 4i+3 are the block of counter (i, c1, c2, c3).
extern "C" __global__ void philox_blocks(u32 *__restrict__ out, u32 n, u32 k0, u32 k1, u32 c1, u32 c2, u32 c3) {
  for (u64 i = threadInGrid(); i < n; i += threadsPerGrid()) {
    const Block b = philox({k0, k1}, (u32)i, c1, c2, c3);
#pragma unroll
    for (int j = 0; j < 4; j++) out[4 * i + j] = b.x[j];
  }
}

// out (n numbers in [0, 1)): number i comes from the block of counter
// (i mod 2^32, i div 2^32, c2, c3).
template <class T>
__device__ void fillUniform(T *__restrict__ out, u64 n, u32 k0, u32 k1, u32 c2, u32 c3) {
  for (u64 i = threadInGrid(); i < n; i += threadsPerGrid())
    out[i] = uniform(philox({k0, k1}, (u32)i, (u32)(i >> 32), c2, c3), T());
}

extern "C" __global__ void philox_uniform_f32(float *out, u64 n, u32 k0, u32 k1, u32 c2, u32 c3) {
  fillUniform(out, n, k0, k1, c2, c3);
}

extern "C" __global__ void philox_uniform_f64(double *out, u64 n, u32 k0, u32 k1, u32 c2, u32 c3) {
  fillUniform(out, n, k0, k1, c2, c3);
}

// counts (bins): how often below(x, bins) gave each value over the first words x
// of the blocks of counters (0 … n-1, 0, 0, 0). Each block of threads counts in
// dynamic shared memory of 4·bins bytes, then adds to counts, which must be zero.
extern "C" __global__ void philox_histogram(u32 *counts, u32 bins, u32 n, u32 k0, u32 k1) {
  for (u32 i = threadInBlock(); i < bins; i += threadsPerBlock()) dynamicShared[i] = 0;
  syncBlock();
  for (u64 i = threadInGrid(); i < n; i += threadsPerGrid())
    atomicAdd(&dynamicShared[below(philox({k0, k1}, (u32)i, 0, 0, 0).x[0], bins)], 1);
  syncBlock();
  for (u32 i = threadInBlock(); i < bins; i += threadsPerBlock())
    if (dynamicShared[i] != 0) atomicAdd(&counts[i], dynamicShared[i]);
}
