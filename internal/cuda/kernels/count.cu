// Counting topics of 32 bits, for samplers that keep them so, and adding pseudo-counts. Portable Go: Recount
// of Dense in internal/sampler/state.
#include "device.h"

// n_wk (V × stride) and n_k (K) of all N tokens, added to what is there. Totals are added
// up in shared memory (K numbers) if shared is set.
extern "C" __global__ void __launch_bounds__(256, 8)
    count_topics(const u32 *words, const u32 *topics, u32 N, u32 *nwk, u32 *nk, u32 K, u32 stride, u32 shared) {
  u32 *totals = shared ? dynamicShared : nk;
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  for (u64 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    const u32 k = topics[i];
    atomicAdd(nwk + words[i] * (u64)stride + k, 1);
    atomicAdd(totals + k, 1);
  }
  syncBlock();
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (totals[k] != 0) atomicAdd(nk + k, totals[k]);
}

// Adds n amounts to cells of a table, each of which is named once: pseudo-counts.
extern "C" __global__ void __launch_bounds__(256, 8)
    count_add(u32 *table, const u64 *cells, const u32 *amounts, u32 n) {
  for (u64 i = threadInGrid(); i < n; i += threadsPerGrid()) table[cells[i]] += amounts[i];
}
