// Histograms of rows of counts (see statistics.cu).
#pragma once
#include "device.h"

#ifdef __CUDA__
// Writes a number and gives what the memory held before.
__device__ u32 exchange(u32 *address, u32 value) { return (u32)__nvvm_atom_xchg_gen_i((int *)address, (int)value); }
#else
__device__ u32 exchange(u32 *address, u32 value) {
  const u32 held = *address;
  *address = value;
  return held;
}
#endif

const u32 kNear = 4096;  // cells of a histogram over all topics that lie in shared memory

// Histogram of counts n ≥ 1, one for all topics or one for each.
struct Histogram {
  u32 *cells;   // (1 or K) × (most+1)
  u32 most;     // larger counts are listed in beyond
  u32 *beyond;  // how many there are, a number without use, then pairs of topic and count
  bool perTopic;
  u32 *near;     // shared memory of kNear numbers for the first cells, unless perTopic
  u32 base = 0;  // added to topics, if perTopic: first cell of the group of documents that is counted

  __device__ void begin() const {
    if (!perTopic)
      for (u32 i = threadInBlock(); i < kNear; i += threadsPerBlock()) near[i] = 0;
    syncBlock();
  }
  __device__ void add(u32 topic, u32 n) const {
    const u32 k = base + topic;
    if (!perTopic && n < kNear && n <= most) return atomicAdd(near + n, 1);
    if (n <= most) return atomicAdd(cells + (perTopic ? k * (u64)(most + 1) : 0) + n, 1);
    const u64 at = 2 + 2 * (u64)fetchAdd(beyond, 1);
    beyond[at] = k;
    beyond[at + 1] = n;
  }
  __device__ void end() const {
    syncBlock();
    if (!perTopic)
      for (u32 i = threadInBlock(); i < kNear; i += threadsPerBlock())
        if (near[i] > 0) atomicAdd(cells + i, near[i]);
  }
};

const u32 kHeld = 8;  // topics of a row that a thread keeps between counting them and taking the counts away

// Adds a member's row to a histogram: its tokens have topics topicOf(from) … topicOf(to-1). A block of threads counts
// the row; then every token takes its topic's count away, and the first that does adds it to the histogram: O(n)
// whatever K, and the row is clear again. The first topics of each thread are asked for together, because they lie
// anywhere in memory, and only once.
template <class TopicOf>
__device__ void countRow(TopicOf topicOf, u32 from, u32 to, u32 *row, const Histogram &histogram) {
  const u32 threads = threadsPerBlock(), thread = threadInBlock(), n = to - from;
  u32 held[kHeld];
#pragma unroll
  for (u32 j = 0; j < kHeld; j++) held[j] = thread + j * threads < n ? topicOf(from + thread + j * threads) : 0;
#pragma unroll
  for (u32 j = 0; j < kHeld; j++)
    if (thread + j * threads < n) atomicAdd(row + held[j], 1);
  for (u32 i = thread + kHeld * threads; i < n; i += threads) atomicAdd(row + topicOf(from + i), 1);
  syncBlock();
  const auto take = [&](u32 k) {
    const u32 count = exchange(row + k, 0);
    if (count > 0) histogram.add(k, count);
  };
#pragma unroll
  for (u32 j = 0; j < kHeld; j++)
    if (thread + j * threads < n) take(held[j]);
  for (u32 i = thread + kHeld * threads; i < n; i += threads) take(topicOf(from + i));
  syncBlock();
}

// Rows of members (documents or words): the tokens of member m are first[m] … first[m+1]-1. Members of more than limit
// tokens are left out. If there are groups, every group has K + 1 cells, and groups[m] is that of member m.
template <class TopicOf>
__device__ void rowsOf(TopicOf topicOf, const u32 *first, u32 members, u32 limit, u32 *row, u32 K, Histogram histogram,
                       const u32 *groups = nullptr) {
  for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) row[k] = 0;
  histogram.begin();
  for (u32 m = blockInGrid(); m < members; m += blocksPerGrid()) {
    if (groups != nullptr) histogram.base = groups[m] * (K + 1);
    if (first[m + 1] - first[m] <= limit) countRow(topicOf, first[m], first[m + 1], row, histogram);
  }
  histogram.end();
}
