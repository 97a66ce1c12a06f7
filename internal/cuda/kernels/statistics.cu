// What a state's hyper-parameters and joint likelihood depend on: how many documents have a topic n
// times, and how many pairs of a word and a topic occur n times (counts.Histograms).
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
  u32 *cells;     // (1 or K) × (most+1)
  u32 most;       // larger counts are listed in beyond
  u32 *beyond;    // how many there are, a number without use, then pairs of topic and count
  bool perTopic;
  u32 *near;      // shared memory of kNear numbers for the first cells, unless perTopic

  __device__ void begin() const {
    if (!perTopic)
      for (u32 i = threadInBlock(); i < kNear; i += threadsPerBlock()) near[i] = 0;
    syncBlock();
  }
  __device__ void add(u32 k, u32 n) const {
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

// Tokens of members (documents or words): those of member m are at positions[first[m] … first[m+1]-1],
// or at these numbers themselves where direct; topics are stride numbers from each other. Members of more than
// limit tokens are left out. A block of threads counts a member's row; then every token takes its topic's count
// away, and the first that does adds it to the histogram: O(n) whatever K, and the row is clear again.
template <class T>
__device__ void rowsOf(const T *tokens, u32 stride, const u32 *positions, u32 direct, const u32 *first, u32 members,
                       u32 limit, u32 *row, u32 K, const Histogram &histogram) {
  const u32 thread = threadInBlock(), threads = threadsPerBlock();
  const auto topicOf = [=](u32 i) { return (u32)tokens[(direct ? i : readOnly(positions + i)) * (u64)stride]; };
  for (u32 k = thread; k < K; k += threads) row[k] = 0;
  histogram.begin();
  for (u32 m = blockInGrid(); m < members; m += blocksPerGrid()) {
    const u32 from = first[m], to = first[m + 1];
    if (to - from > limit) continue;
    for (u32 i = from + thread; i < to; i += threads) atomicAdd(row + topicOf(i), 1);
    syncBlock();
    for (u32 i = from + thread; i < to; i += threads) {
      const u32 k = topicOf(i), n = exchange(row + k, 0);
      if (n > 0) histogram.add(k, n);
    }
    syncBlock();
  }
  histogram.end();
}

#define ROWS(NAME, T)                                                                                                   \
  extern "C" __global__ void __launch_bounds__(128, 8)                                                                  \
      statistics_rows_##NAME(const T *tokens, u32 stride, const u32 *positions, u32 direct, const u32 *first,           \
                             u32 members, u32 limit, u32 *scratch, u32 shared, u32 K, u32 *cells, u32 most, u32 *beyond, \
                             u32 perTopic) {                                                                            \
    u32 *row = shared ? dynamicShared + kNear : scratch + blockInGrid() * (u64)K;                                       \
    rowsOf<T>(tokens, stride, positions, direct, first, members, limit, row, K,                                         \
              Histogram{cells, most, beyond, perTopic != 0, dynamicShared});                                            \
  }

ROWS(16, u16)
ROWS(32, u32)

// Rows that are there already: K counts each, the first at offset, stride from row to row.
extern "C" __global__ void __launch_bounds__(256, 4)
    statistics_table(const u32 *table, u32 rows, u32 stride, u32 offset, u32 K, u32 *cells, u32 most, u32 *beyond) {
  const Histogram histogram{cells, most, beyond, false, dynamicShared};
  histogram.begin();
  for (u32 r = blockInGrid(); r < rows; r += blocksPerGrid())
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) {
      const u32 n = table[r * (u64)stride + offset + k];
      if (n > 0) histogram.add(k, n);
    }
  histogram.end();
}

// Copies rows (count) of a table to out (count × K).
extern "C" __global__ void __launch_bounds__(256, 4)
    statistics_pick(const u32 *table, u32 stride, const u32 *rows, u32 count, u32 K, u32 *out) {
  for (u32 r = blockInGrid(); r < count; r += blocksPerGrid())
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) out[r * (u64)K + k] = table[rows[r] * (u64)stride + k];
}
