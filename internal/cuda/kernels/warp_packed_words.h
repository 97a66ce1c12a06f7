// The word phase of groups of words in little memory (see warp_packed.h, warp_word_groups.h).
#pragma once
#include "warp_packed.h"
#include "warp_word_groups.h"

// WordRuns gives the tokens of groups, each of which begins with a run.
struct WordRuns {
  Runs runs;

  __device__ void fetch(u32 from, u32 i, u32 &where, u32 &member) const {
    u32 segment, number;
    where = runs.spot(from + i, segment, number);
    member = runs.wide ? readOnly(runs.memberOf + number) : segment >> 27;
  }
  __device__ u32 position(u32 where) const { return runs.position(where); }
  __device__ u32 spot(u32 where, u32, u32) const { return where; }
};

#define PACKED_WORDS(NAME, BITS, STEPS)                                                                               \
  extern "C" __global__ void __launch_bounds__(1024, 1)                                                               \
      warp_packed_words_##NAME(u32 *tokens, RUNS, const u32 *groups, u32 count, const u32 *shares, u32 rowCount,      \
                               u32 *queue, const float *inv, u32 beta, u64 betaSum, SCALARS) {                        \
    wordGroups<STEPS>(PackedState<BITS, STEPS>::of(tokens), WordRuns{THE_RUNS}, (const Group *)groups, count,         \
                      (const Share *)shares, rowCount, queue, WordPhase{inv, SINGLE(beta), REAL(betaSum), SETTINGS}); \
  }
