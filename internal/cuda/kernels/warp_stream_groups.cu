// The doc phase of groups of documents in a load (see warp_stream.cu, warp_doc_groups.h).
#include "warp_doc_groups.h"

#define GROUPS(NAME, STEPS, PLAIN)                                                                                    \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_stream_groups_##NAME(                                    \
      u16 *tokens, const u16 *places, const u32 *groups, u32 count, const u32 *shares, u32 rowCount, u32 *queue,      \
      const float *inv, const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) { \
    docGroups<STEPS, PLAIN>(State<u16, STEPS>{tokens, 0}, DocPlaces{places}, (const Group *)groups, count,            \
                            (const Share *)shares, rowCount, queue, nk,                                               \
                            DocPhase<PLAIN>{inv, priors, firstPrior, symmetric, REAL(alphaSum), walk, SETTINGS});     \
  }

GROUPS(16x1, 1, false)
GROUPS(16x2, 2, false)
GROUPS(16x1_plain, 1, true)
GROUPS(16x2_plain, 2, true)
