// batch: topics between the order of the corpus and that in which tokens are drawn. Token i
// of the corpus is drawn in place places[i]. Portable Go and the definition: grid.Walker,
// and RandomTopics in internal/sampler.
#include "philox.h"

// A uniform topic for every token. Four share a block of random numbers.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_start(u16 *topics, const u32 *places, u32 N, u32 K, u32 k0, u32 k1, u32 purpose) {
  for (u64 four = threadInGrid(); 4 * four < N; four += threadsPerGrid()) {
    const Block random = philox({k0, k1}, (u32)four, 0, purpose, 0);
    for (u32 i = 0; i < 4; i++)
      if (4 * four + i < N) topics[places[4 * four + i]] = (u16)below(random.x[i], K);
  }
}

// The topics in drawing order, or the other way round if toCorpus is set.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_copy(u16 *drawn, u16 *corpus, const u32 *places, u32 N, u32 toCorpus) {
  for (u64 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    if (toCorpus)
      corpus[i] = drawn[places[i]];
    else
      drawn[places[i]] = corpus[i];
  }
}
