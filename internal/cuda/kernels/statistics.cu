// What a state's hyper-parameters and joint likelihood depend on: how many documents have a topic n
// times, and how many pairs of a word and a topic occur n times (counts.Histograms).
#include "statistics.h"

// Tokens are at positions, or at the numbers of tokens themselves where direct; topics are stride numbers from each
// other.
#define ROWS(NAME, T)                                                                                                \
  extern "C" __global__ void __launch_bounds__(128, 8) statistics_rows_##NAME(                                       \
      const T *tokens, u32 stride, const u32 *positions, u32 direct, const u32 *first, u32 members, u32 limit,       \
      u32 *scratch, u32 shared, u32 K, u32 *cells, u32 most, u32 *beyond, u32 perTopic) {                            \
    u32 *row = shared ? dynamicShared + kNear : scratch + blockInGrid() * (u64)K;                                    \
    rowsOf([=](u32 i) { return (u32)tokens[(direct ? i : readOnly(positions + i)) * (u64)stride]; }, first, members, \
           limit, row, K, Histogram{cells, most, beyond, perTopic != 0, dynamicShared});                             \
  }

ROWS(16, u16)
ROWS(32, u32)

// The same for documents in groups, with topics of 16 bits in order.
extern "C" __global__ void __launch_bounds__(128, 8)
    statistics_groups(const u16 *tokens, const u32 *first, u32 members, u32 *scratch, u32 shared, u32 K, u32 *cells,
                      u32 most, u32 *beyond, const u32 *groups) {
  u32 *row = shared ? dynamicShared + kNear : scratch + blockInGrid() * (u64)K;
  rowsOf([=](u32 i) { return (u32)tokens[i]; }, first, members, 0u - 1u, row, K,
         Histogram{cells, most, beyond, true, dynamicShared}, groups);
}

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
