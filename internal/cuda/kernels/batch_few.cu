// batch with at most 64 topics: see batch_few.h.
#include "batch_few.h"

#define FEW(NAME, WIDTH, GROUPS, BLOCKS)                                                                              \
  extern "C" __global__ void __launch_bounds__(32, BLOCKS) batch_few_##NAME(                                          \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const float *weights, const float *alpha,        \
      const float *inv, const u32 *offsets, const u32 *docs, u32 count, u32 longCount, u32 *queue, u32 *nwk, u32 *nk, \
      u32 K, u32 kpad, u32 base, u32 k0, u32 k1, u32 iteration, u32 purpose) {                                        \
    const Placed placed{positions, base, {k0, k1}, iteration, purpose};                                               \
    drawListed<WIDTH, GROUPS>({words, topics, weights, alpha, inv, K, kpad, 1, placed},                               \
                              {offsets, docs, count, longCount, old, nullptr}, queue, nwk, nk);                       \
  }

FEW(16, 16, 1, 16)
FEW(32, 32, 1, 16)
FEW(64, 32, 2, 10)
