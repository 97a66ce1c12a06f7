// The word phase of words that are not in groups of rows (see warp_words.h, warp_sorted.h).
#include "warp_sorted.h"

// Running sums of the hot words' rows, one block of threads each.
extern "C" __global__ void __launch_bounds__(1024, 1) warp_sums(u32 *rows, u32 K) {
  runningSums(rows + blockInGrid() * (u64)(K + 1), K, dynamicShared);
}

#define PHASE \
  WordPhase<ByWord> { {byWord}, {begin, blockCount}, SINGLE(beta), REAL(betaSum), SETTINGS }

// A block of warp_sorted_… has an eighth as many threads as entries: see sortedOn.shape in Go.
#define SORTED(NAME, T, STEPS)                                                                                 \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_sorted_##NAME(                                    \
      T *tokens, u32 layout, const u32 *first, const u32 *groups, u32 count, u32 room, u32 words, u32 *queue,  \
      const float *inv, const u32 *byWord, const u32 *begin, u32 blockCount, u32 beta, u64 betaSum, SCALARS) { \
    sortedWords(State<T, STEPS>{tokens, layout}, first, groups, count, room, words, queue, inv, PHASE);        \
  }

#define HOT(NAME, T, STEPS, MEMORY)                                                                                    \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_count_##NAME(T *tokens, u32 layout, const u32 *byWord, const u32 *chunks, u32 *rows, u32 K) {               \
    countHot<MEMORY>(State<T, STEPS>{tokens, layout}, ByWord{byWord}, chunks, rows, K);                                \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_walk_##NAME(T *tokens, u32 layout, const u32 *chunks, const u32 *rows, const float *inv, const u32 *byWord, \
                       const u32 *begin, u32 blockCount, u32 beta, u64 betaSum, SCALARS) {                             \
    walkHot<MEMORY>(State<T, STEPS>{tokens, layout}, chunks, rows, inv, PHASE);                                        \
  }

SORTED(16x1, u16, 1)
SORTED(16x2, u16, 2)
SORTED(16, u16, 0)
SORTED(32x2, u32, 2)
SORTED(32, u32, 0)
HOT(16x1, u16, 1, kNearest)
HOT(16x2, u16, 2, kNearest)
HOT(16x1_near, u16, 1, kNear)
HOT(16x2_near, u16, 2, kNear)
HOT(16_near, u16, 0, kNear)
HOT(16x1_far, u16, 1, kFar)
HOT(16x2_far, u16, 2, kFar)
HOT(16_far, u16, 0, kFar)
HOT(32x2_far, u32, 2, kFar)
HOT(32_far, u32, 0, kFar)
