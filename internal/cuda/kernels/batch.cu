// batch: exact draws in mini-batches (see batch.h). Portable Go and the definition: batch in
// internal/sampler.
//
// Documents do not see each other inside a mini-batch: they read weights and inv, made by
// batch_prepare before it, while n_wk and n_k may already change. Up to 384 topics changes
// are counted where they are drawn (10 % less time for a sweep at 128), beyond in
// batch_update: with 1024 topics draws wait for memory, and counting among them took 12 %
// more time. Tokens come in parts, runs of whole documents: words, positions, topics
// and old have an entry for each token of the part, in drawing order, and offsets and
// positions are counted from the part's first token.
#include "batch_draw.h"

#define DRAW(NAME, GROUPS, BLOCKS, COUNTS)                                                                           \
  extern "C" __global__ void __launch_bounds__(128, BLOCKS) batch_draw_##NAME(                                       \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const float *weights, const float *alpha,       \
      const float *inv, const u32 *offsets, u32 first, u32 last, u32 *queue, u32 *scratch, u32 *nwk, u32 *nk, u32 K, \
      u32 kpad, u32 base, u32 k0, u32 k1, u32 iteration, u32 purpose) {                                              \
    const Placed placed{positions, base, {k0, k1}, iteration, purpose};                                              \
    drawAll<GROUPS, COUNTS>({words, topics, weights, alpha, inv, K, kpad, 1, placed}, old, offsets, first, last,     \
                            queue, scratch, nwk, nk);                                                                \
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

// inv_k = 1/(n_k + Vβ) and weights = n_wk + β: what a mini-batch works with.
extern "C" __global__ void batch_prepare(const u32 *nk, float *inv, const u32 *nwk, float *weights, u32 K, u64 cells,
                                         u64 vbeta, u32 beta) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid())
    inv[k] = (float)(1 / ((double)nk[k] + __builtin_bit_cast(double, vbeta)));
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid())
    weights[i] = (float)nwk[i] + __builtin_bit_cast(float, beta);
}

// Brings n_wk and n_k up to date with tokens first … last-1. Changes of n_k are added up
// in shared memory (K numbers) if there is any.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_update(const u32 *words, const u16 *topics, const u16 *old, u32 first, u32 last, u32 *nwk, u32 *nk, u32 K,
                 u32 kpad, u32 shared) {
  u32 *totals = shared ? dynamicShared : nk;
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  for (u32 i = first + threadInGrid(); i < last; i += threadsPerGrid()) {
    const u32 was = old[i], is = topics[i];
    if (was == is) continue;
    u32 *row = nwk + words[i] * (u64)kpad;
    atomicAdd(row + was, 0u - 1u);
    atomicAdd(row + is, 1);
    atomicAdd(totals + was, 0u - 1u);
    atomicAdd(totals + is, 1);
  }
  syncBlock();
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (totals[k] != 0) atomicAdd(nk + k, totals[k]);
}

// n_wk and n_k of all tokens, added to zeros.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_count(const u32 *words, const u16 *topics, u32 N, u32 *nwk, u32 *nk, u32 K, u32 kpad, u32 shared) {
  u32 *totals = shared ? dynamicShared : nk;
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    atomicAdd(nwk + words[i] * (u64)kpad + topics[i], 1);
    atomicAdd(totals + topics[i], 1);
  }
  syncBlock();
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (totals[k] != 0) atomicAdd(nk + k, totals[k]);
}
