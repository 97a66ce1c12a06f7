// The word phase of hot words in little memory (see warp_packed.h, warp_words.h).
#include "warp_packed.h"
#include "warp_words.h"

#define HOT(NAME, BITS, STEPS, MEMORY)                                                                           \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                           \
      warp_packed_count_##NAME(u32 *tokens, RUNS, const u32 *chunks, u32 *rows, u32 K) {                         \
    countHot<MEMORY>(PackedState<BITS, STEPS>::of(tokens), THE_RUNS, chunks, rows, K);                           \
  }                                                                                                              \
  extern "C" __global__ void __launch_bounds__(256, 6) warp_packed_walk_##NAME(                                  \
      u32 *tokens, RUNS, const u32 *chunks, const u32 *rows, const float *inv, u32 beta, u64 betaSum, SCALARS) { \
    walkHot<MEMORY>(PackedState<BITS, STEPS>::of(tokens), chunks, rows, inv,                                     \
                    WordPhase<Runs>{THE_RUNS, {starts, 0}, SINGLE(beta), REAL(betaSum), SETTINGS});              \
  }

HOT(10x2, 10, 2, kNearest)
HOT(16x1, 16, 1, kNearest)
HOT(16x2, 16, 2, kNearest)
HOT(16x1_near, 16, 1, kNear)
HOT(16x2_near, 16, 2, kNear)
