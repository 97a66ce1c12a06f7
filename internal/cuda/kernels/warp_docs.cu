// warp's doc phase, and what happens before it (see warp.h, warp_docs.h).
#include "warp_docs.h"

// inv_k = 1/(n_k + Vβ), rounded once more to float32.
extern "C" __global__ void warp_inverse(const u32 *nk, float *inv, u32 K, u64 vbeta) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid())
    inv[k] = (float)(1 / ((double)nk[k] + __builtin_bit_cast(double, vbeta)));
}

// First topics: token i of the corpus gets word i mod 4 of block i div 4 (see draws
// in internal/sampler), made a number below K.
template <class T>
__device__ void start(T *tokens, u32 layout, const u32 *byDoc, u32 N, const Settings &s) {
  const State<T, 0> state{tokens, layout};
  for (u32 j = threadInGrid(); j < (N + 3) / 4; j += threadsPerGrid()) {
    const Block words = philox(s.key, j, s.iteration, s.purpose, 0);
#pragma unroll
    for (u32 i = 0; i < 4; i++)
      if (4 * j + i < N) state.at(byDoc[4 * j + i])[0] = below(words.x[i], s.K);
  }
}

// nk (K): how many tokens have each topic; added to what nk holds.
template <class T, bool kShared>
__device__ void totals(const T *tokens, u32 layout, u32 N, u32 *nk, u32 K) {
  u32 *counts = kShared ? dynamicShared : nk;
  if (kShared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) counts[k] = 0;
  syncBlock();
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) atomicAdd(counts + tokens[i * (u64)(layout >> 16)], 1);
  syncBlock();
  if (kShared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (counts[k] > 0) atomicAdd(nk + k, counts[k]);
}

// Copies topics (N, corpus order, or grid order where direct) from and to tokens.
template <class T>
__device__ void topics(T *tokens, u32 layout, const u32 *byDoc, u32 direct, T *list, u32 N, u32 toTokens) {
  const State<T, 0> state{tokens, layout};
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    T *token = state.at(direct ? i : byDoc[i]);
    if (toTokens)
      token[0] = list[i];
    else
      list[i] = token[0];
  }
}

#define DOCS(NAME, T, STEPS, HASHED) DOCS_KERNEL(warp_docs_##NAME, T, STEPS, HASHED)

#define LONG(NAME, T, SHARED)                                                                                   \
  extern "C" __global__ void __launch_bounds__(256, 4)                                                          \
      warp_long_##NAME(T *tokens, u32 layout, const u32 *byDoc, const u32 *offsets, const u32 *list, u32 count, \
                       const u32 *begin, u32 blockCount, u32 *scratch, const float *inv, const u32 *priors,     \
                       u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) {               \
    longDocs<SHARED>(State<T, 0>{tokens, layout}, byDoc, offsets, list, count, begin, blockCount, scratch, inv, \
                     priors, firstPrior, REAL(alphaSum), symmetric, walk, nk, SETTINGS);                        \
  }                                                                                                             \
  extern "C" __global__ void __launch_bounds__(256, 8)                                                          \
      warp_totals_##NAME(const T *tokens, u32 layout, u32 N, u32 *nk, u32 K) {                                  \
    totals<T, SHARED>(tokens, layout, N, nk, K);                                                                \
  }

#define START(NAME, T)                                                                                        \
  extern "C" __global__ void __launch_bounds__(256, 8)                                                        \
      warp_start_##NAME(T *tokens, u32 layout, const u32 *byDoc, u32 N, SCALARS) {                            \
    start<T>(tokens, layout, byDoc, N, SETTINGS);                                                             \
  }                                                                                                           \
  extern "C" __global__ void __launch_bounds__(256, 8)                                                        \
      warp_topics_##NAME(T *tokens, u32 layout, const u32 *byDoc, u32 direct, T *list, u32 N, u32 toTokens) { \
    topics<T>(tokens, layout, byDoc, direct, list, N, toTokens);                                              \
  }

DOCS(16, u16, 0, false)
DOCS(16x1_hashed, u16, 1, true)
DOCS(16x2_hashed, u16, 2, true)
DOCS(16_hashed, u16, 0, true)
DOCS(32x2_hashed, u32, 2, true)
DOCS(32_hashed, u32, 0, true)
LONG(16, u16, true)
LONG(16_far, u16, false)
LONG(32_far, u32, false)
START(16, u16)
START(32, u32)
