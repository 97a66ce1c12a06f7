// The word phase of words that are not in groups (see warp_words.h).
#include "warp_words.h"

// list (count): words that are not hot; first (V+1): where a word's tokens are in
// byWord. Rows that do not lie in shared memory lie in scratch (blocks × (K+1)).
template <class T, u32 kSteps, Memory kMemory>
__device__ void words(T *tokens, u32 layout, const u32 *first, const u32 *list, u32 count, u32 *queue, u32 *scratch,
                      const float *inv, const WordPhase<ByWord> &phase) {
  const State<T, kSteps> state{tokens, layout};
  const u32 K = phase.settings.K;
  u32 *row = kMemory != kFar ? dynamicShared + kCarries : scratch + blockInGrid() * (u64)(K + 1);
  float *copy = (float *)(dynamicShared + kCarries + K + 1);
  typedef typename State<T, kSteps>::Whole Whole;
  const u32 room = kStashBytes / sizeof(Whole);
  Whole *stashed = (Whole *)(dynamicShared + kCarries + 2 * (K + 1));
  u32 *positions = (u32 *)(stashed + room);
  const Stash<Whole> stash{stashed, positions, kMemory == kNearest ? room : 0};
  const auto inverse = [=](u32 k) { return kMemory == kNearest ? copy[k] : readOnly(inv + k); };
  copyInverse<kMemory>(copy, inv, K);
  for (Queue q(queue, dynamicShared + 32); q.at < count; q.next()) {
    const u32 from = readOnly(first + list[q.at]), to = readOnly(first + list[q.at] + 1);
    for (u32 k = threadInBlock(); k <= K; k += threadsPerBlock()) row[k] = 0;
    syncBlock();
    countTokens(state, phase.byWord, from, to, row, stash);
    syncBlock();
    runningSums(row, K, dynamicShared);
    Sums sums{row, nullptr, 0};
    if (kMemory == kNearest) sums = guided(row, to - from, K, positions + room, dynamicShared);
    walkWord(state, phase, from, to, to - from, sums, inverse, stash);
  }
}

// Running sums of the hot words' rows, one block of threads each.
extern "C" __global__ void __launch_bounds__(256, 4) warp_sums(u32 *rows, u32 K) {
  runningSums(rows + blockInGrid() * (u64)(K + 1), K, dynamicShared);
}

#define PHASE \
  WordPhase<ByWord> { {byWord}, {begin, blockCount}, SINGLE(beta), REAL(betaSum), SETTINGS }

#define WORDS(NAME, T, STEPS, MEMORY)                                                                                  \
  extern "C" __global__ void __launch_bounds__(256, 6) warp_words_##NAME(                                              \
      T *tokens, u32 layout, const u32 *first, const u32 *list, u32 count, u32 *queue, u32 *scratch, const float *inv, \
      const u32 *byWord, const u32 *begin, u32 blockCount, u32 beta, u64 betaSum, SCALARS) {                           \
    words<T, STEPS, MEMORY>(tokens, layout, first, list, count, queue, scratch, inv, PHASE);                           \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_count_##NAME(T *tokens, u32 layout, const u32 *byWord, const u32 *chunks, u32 *rows, u32 K) {               \
    countHot<MEMORY>(State<T, STEPS>{tokens, layout}, ByWord{byWord}, chunks, rows, K);                                \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(256, 6)                                                                 \
      warp_walk_##NAME(T *tokens, u32 layout, const u32 *chunks, const u32 *rows, const float *inv, const u32 *byWord, \
                       const u32 *begin, u32 blockCount, u32 beta, u64 betaSum, SCALARS) {                             \
    walkHot<MEMORY>(State<T, STEPS>{tokens, layout}, chunks, rows, inv, PHASE);                                        \
  }

WORDS(16x1, u16, 1, kNearest)
WORDS(16x2, u16, 2, kNearest)
WORDS(16x1_near, u16, 1, kNear)
WORDS(16x2_near, u16, 2, kNear)
WORDS(16_near, u16, 0, kNear)
WORDS(16_far, u16, 0, kFar)
WORDS(32_far, u32, 0, kFar)
