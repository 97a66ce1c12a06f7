// The word phase of groups whose lists lie ready on the device.
#include "warp_word_groups.h"

#define GROUPS(NAME, STEPS)                                                                                      \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_word_groups_##NAME(                                 \
      u16 *tokens, const u32 *positions, const u8 *memberOf, const u32 *spots, const u32 *groups, u32 count,     \
      const u32 *shares, u32 rowCount, u32 *queue, const float *inv, u32 beta, u64 betaSum, SCALARS) {           \
    wordGroups<STEPS>(State<u16, STEPS>{tokens, 0}, WordList{positions, memberOf, spots}, (const Group *)groups, \
                      count, (const Share *)shares, rowCount, queue,                                             \
                      WordPhase{inv, SINGLE(beta), REAL(betaSum), SETTINGS});                                    \
  }

GROUPS(16x1, 1)
GROUPS(16x2, 2)
