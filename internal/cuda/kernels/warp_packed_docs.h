// The doc phase in little memory (see warp_packed.h, warp_doc_groups.h), and topics from and to the
// host.
#pragma once
#include "warp_doc_groups.h"
#include "warp_docs.h"
#include "warp_packed.h"

#define GROUPS(NAME, BITS, STEPS, PLAIN)                                                                              \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_packed_docs_##NAME(                                      \
      u32 *tokens, const u16 *places, const u32 *groups, u32 count, const u32 *shares, u32 rowCount, u32 *queue,      \
      const float *inv, const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) { \
    docGroups<STEPS, PLAIN>(PackedState<BITS, STEPS>::of(tokens), DocPlaces{places}, (const Group *)groups, count,    \
                            (const Share *)shares, rowCount, queue, nk,                                               \
                            DocPhase<PLAIN>{inv, priors, firstPrior, symmetric, REAL(alphaSum), walk, SETTINGS});     \
  }

#define PACKED_DOCS(NAME, BITS, STEPS)                                                                                 \
  GROUPS(NAME, BITS, STEPS, false)                                                                                     \
  GROUPS(NAME##_plain, BITS, STEPS, true)                                                                              \
  extern "C" __global__ void __launch_bounds__(256, 4) warp_packed_long_##NAME(                                        \
      u32 *tokens, const u32 *byDoc, const u32 *offsets, const u32 *list, u32 count, const u32 *begin, u32 blockCount, \
      const float *inv, const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) {  \
    longDocs<true>(PackedState<BITS, STEPS>::of(tokens), byDoc, offsets, list, count, begin, blockCount, nullptr, inv, \
                   priors, firstPrior, REAL(alphaSum), symmetric, walk, nk, SETTINGS);                                 \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(128, 12) warp_packed_hashed_##NAME(                                     \
      u32 *tokens, const u16 *places, const u32 *heads, u32 count, u32 room, u32 *queue, const float *inv,             \
      const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) {                    \
    docs<STEPS, true>(PackedState<BITS, STEPS>::of(tokens), PlacesByDoc{places}, (const Head *)heads, count, room,     \
                      queue, inv, priors, firstPrior, REAL(alphaSum), symmetric, walk, nk, SETTINGS);                  \
  }                                                                                                                    \
  /* Copies n topics, from a position on, from and to tokens; those that go there have no proposals yet. */            \
  extern "C" __global__ void __launch_bounds__(256, 8)                                                                 \
      warp_packed_topics_##NAME(u32 *tokens, u32 from, u32 n, u16 *topics, u32 toTokens) {                             \
    const auto state = PackedState<BITS, STEPS>::of(tokens);                                                           \
    for (u32 i = threadInGrid(); i < n; i += threadsPerGrid()) {                                                       \
      if (toTokens)                                                                                                    \
        state.setWhole(from + i, topics[i]);                                                                           \
      else                                                                                                             \
        topics[i] = state.get(from + i, 0);                                                                            \
    }                                                                                                                  \
  }
