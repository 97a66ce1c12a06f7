// batch.cu and batch_few.cu for documents in groups, each of which has α of its own: alpha has kpad numbers for each
// group, groups the group of each document.
#include "batch_draw.h"
#include "batch_few.h"

#define DRAW(NAME, GROUPS, BLOCKS, COUNTS)                                                                             \
  extern "C" __global__ void __launch_bounds__(128, BLOCKS) batch_groups_draw_##NAME(                                  \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const float *weights, const float *alpha,         \
      const float *inv, const u32 *offsets, u32 first, u32 last, u32 *queue, u32 *scratch, u32 *nwk, u32 *nk, u32 K,   \
      u32 kpad, u32 base, u32 k0, u32 k1, u32 iteration, u32 purpose, const u32 *groups) {                             \
    const Placed placed{positions, base, {k0, k1}, iteration, purpose};                                                \
    drawAll<GROUPS, COUNTS, true>({words, topics, weights, alpha, inv, K, kpad, 1, placed}, old, offsets, first, last, \
                                  queue, scratch, nwk, nk, groups);                                                    \
  }

DRAW(32, 1, 12, true)
DRAW(64, 2, 12, true)
DRAW(128, 4, 12, true)
DRAW(192, 6, 8, true)
DRAW(256, 8, 8, true)
DRAW(384, 12, 8, true)
DRAW(512, 16, 6, false)
DRAW(768, 24, 4, false)
DRAW(1024, 32, 4, false)
DRAW(any, 0, 8, false)

#define FEW(NAME, WIDTH, GROUPS, BLOCKS)                                                                              \
  extern "C" __global__ void __launch_bounds__(32, BLOCKS) batch_groups_few_##NAME(                                   \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const float *weights, const float *alpha,        \
      const float *inv, const u32 *offsets, const u32 *docs, u32 count, u32 longCount, u32 *queue, u32 *nwk, u32 *nk, \
      u32 K, u32 kpad, u32 base, u32 k0, u32 k1, u32 iteration, u32 purpose, const u32 *groups) {                     \
    const Placed placed{positions, base, {k0, k1}, iteration, purpose};                                               \
    drawListed<WIDTH, GROUPS, true>({words, topics, weights, alpha, inv, K, kpad, 1, placed},                         \
                                    {offsets, docs, count, longCount, old, groups}, queue, nwk, nk);                  \
  }

FEW(16, 16, 1, 16)
FEW(32, 32, 1, 16)
FEW(64, 32, 2, 10)
