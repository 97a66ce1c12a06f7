// The word phase of hot words in little memory (see warp_packed.h, warp_words.h).
#include "warp_packed.h"
#include "warp_words.h"

#define HOT(NAME, STEPS)                                                                                               \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_packed_count_##NAME(u32 *tokens, RUNS, const u32 *chunks, u32 *rows, u32 K) {                               \
    countHot<kNearest>(PackedState<STEPS>::of(tokens), THE_RUNS, chunks, rows, K);                                     \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_packed_walk_##NAME(u32 *tokens, RUNS, const u32 *chunks, const u32 *rows, const float *inv, u32 beta,       \
                              u64 betaSum, SCALARS) {                                                                  \
    walkHot<kNearest>(PackedState<STEPS>::of(tokens), chunks, rows, inv,                                               \
                      WordPhase<Runs>{THE_RUNS, {starts, 0}, SINGLE(beta), REAL(betaSum), SETTINGS});                  \
  }

HOT(10x2, 2)
HOT(16x1, 1)
