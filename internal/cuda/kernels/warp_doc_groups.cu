// The doc phase of groups whose lists lie ready on the device.
#include "warp_doc_groups.h"

#define GROUPS(NAME, STEPS, PLAIN)                                                                                    \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_doc_groups_##NAME(                                       \
      u16 *tokens, const u32 *list, const u32 *groups, u32 count, const u32 *shares, u32 rowCount, u32 *queue,        \
      const float *inv, const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) { \
    docGroups<STEPS, PLAIN>(State<u16, STEPS>{tokens, 0}, DocList{list}, (const Group *)groups, count,                \
                            (const Share *)shares, rowCount, queue, nk,                                               \
                            DocPhase<PLAIN>{inv, priors, firstPrior, symmetric, REAL(alphaSum), walk, SETTINGS});     \
  }

GROUPS(16x1, 1, false)
GROUPS(16x2, 2, false)
GROUPS(16x1_plain, 1, true)
GROUPS(16x2_plain, 2, true)
