// Counts of warp in little memory (see warp_packed.h): histograms as in statistics.cu, and rows of words.
#include "statistics.h"
#include "warp_docs.h"
#include "warp_groups.h"
#include "warp_packed.h"

// Rows are 16-bit counts of a group's members, K/2 numbers of shared memory, rounded up to a multiple of 4, each.
struct Rows {
  u32 *counts;
  u32 half;

  __device__ Rows(u32 *counts, u32 K) : counts(counts), half((K + 7) / 8 * 4) {}
  __device__ void add(u32 member, u32 k) const { atomicAdd(counts + member * half + k / 2, 1u << (k % 2 * 16)); }

  // Calls use(member, topic, count) for all counts but zero, and clears them. The block is in step before and after.
  template <class Use>
  __device__ void take(u32 members, Use use) const {
    syncBlock();
    for (u32 i = threadInBlock(); i < members * half; i += threadsPerBlock()) {
      const u32 pair = counts[i], member = i / half, k = i % half * 2;
      counts[i] = 0;
      if (pair % 65536 > 0) use(member, k, pair % 65536);
      if (pair / 65536 > 0) use(member, k + 1, pair / 65536);
    }
    syncBlock();
  }
  __device__ void clear(u32 members) const {
    for (u32 i = threadInBlock(); i < members * half; i += threadsPerBlock()) counts[i] = 0;
    syncBlock();
  }
};

// Groups of documents (DocPlaces of warp_doc_groups.h), a warp for each document.
template <class S>
__device__ void countDocs(const S &state, const u16 *places, const Group *groups, u32 count, const Share *shares,
                          u32 rowCount, u32 K, const Histogram &histogram) {
  const Rows rows(dynamicShared + kNear, K);
  rows.clear(rowCount);
  histogram.begin();
  for (u32 at = blockInGrid(); at < count; at += blocksPerGrid()) {
    const Group group = groups[at];
    for (u32 member = threadInBlock() / kLanes; member < group.members; member += threadsPerBlock() / kLanes) {
      const Share share = shares[group.first + member];
      for (u32 i = laneInWarp(); i < share.n(); i += kLanes)
        rows.add(member, state.get(group.begin + readOnly(places + group.from + share.base() + i), 0));
    }
    rows.take(group.members, [&](u32, u32 k, u32 n) { histogram.add(k, n); });
  }
  histogram.end();
}

// Documents that are not in groups, a block of threads for each.
template <class S>
__device__ void countHeads(const S &state, const PlacesByDoc &places, const Head *heads, u32 count, u32 K,
                           const Histogram &histogram) {
  u32 *row = dynamicShared + kNear;
  for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) row[k] = 0;
  histogram.begin();
  for (u32 at = blockInGrid(); at < count; at += blocksPerGrid()) {
    const Head head = heads[at];
    countRow([&](u32 i) { return state.get(places.at(head, i), 0); }, 0, head.n, row, histogram);
  }
  histogram.end();
}

// Groups of words; use as in Rows, with the word's number among those of all groups of the load.
template <class S, class Use>
__device__ void countWords(const S &state, const Runs &runs, const Group *groups, u32 count, u32 rowCount, u32 K,
                           Use use) {
  const Rows rows(dynamicShared + kNear, K);
  rows.clear(rowCount);
  for (u32 at = blockInGrid(); at < count; at += blocksPerGrid()) {
    const Group group = groups[at];
    for (u32 i = threadInBlock(); i < group.n; i += threadsPerBlock()) {
      u32 segment, number;
      const u32 spot = runs.spot(group.from + i, segment, number);
      rows.add(runs.wide ? readOnly(runs.memberOf + number) : segment >> 27, state.get(runs.position(spot), 0));
    }
    rows.take(group.members, [&](u32 member, u32 k, u32 n) { use(group.first + member, k, n); });
  }
}

// Shared memory: kNear numbers of Histogram, then Rows for rowCount members.
#define STATISTICS(NAME, BITS, STEPS)                                                                                  \
  extern "C" __global__ void __launch_bounds__(1024, 1)                                                                \
      warp_packed_count_docs_##NAME(u32 *tokens, const u16 *places, const u32 *groups, u32 count, const u32 *shares,   \
                                    u32 rowCount, u32 K, u32 *cells, u32 most, u32 *beyond) {                          \
    countDocs(PackedState<BITS, STEPS>::of(tokens), places, (const Group *)groups, count, (const Share *)shares,       \
              rowCount, K, Histogram{cells, most, beyond, true, dynamicShared});                                       \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(128, 8) warp_packed_count_heads_##NAME(                                 \
      u32 *tokens, const u16 *places, const u32 *heads, u32 count, u32 K, u32 *cells, u32 most, u32 *beyond) {         \
    countHeads(PackedState<BITS, STEPS>::of(tokens), PlacesByDoc{places}, (const Head *)heads, count, K,               \
               Histogram{cells, most, beyond, true, dynamicShared});                                                   \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_packed_count_words_##NAME(                                \
      u32 *tokens, RUNS, const u32 *groups, u32 count, u32 rowCount, u32 K, u32 *cells, u32 most, u32 *beyond) {       \
    const Histogram histogram{cells, most, beyond, false, dynamicShared};                                              \
    histogram.begin();                                                                                                 \
    countWords(PackedState<BITS, STEPS>::of(tokens), THE_RUNS, (const Group *)groups, count, rowCount, K,              \
               [&](u32, u32 k, u32 n) { histogram.add(k, n); });                                                       \
    histogram.end();                                                                                                   \
  }                                                                                                                    \
  /* rowOf has for each of the load's words 1 + the number of its row in rows (K+1 numbers each), 0 if it has none. */ \
  extern "C" __global__ void __launch_bounds__(1024, 1) warp_packed_rows_##NAME(                                       \
      u32 *tokens, RUNS, const u32 *groups, u32 count, u32 rowCount, u32 K, const u32 *rowOf, u32 *rows) {             \
    countWords(PackedState<BITS, STEPS>::of(tokens), THE_RUNS, (const Group *)groups, count, rowCount, K,              \
               [&](u32 word, u32 k, u32 n) {                                                                           \
                 const u32 row = readOnly(rowOf + word);                                                               \
                 if (row > 0) rows[(row - 1) * (u64)(K + 1) + 1 + k] = n;                                              \
               });                                                                                                     \
  }                                                                                                                    \
  /* Long documents, whose tokens are at byDoc[ends[d] … ends[d+1]-1]. */                                              \
  extern "C" __global__ void __launch_bounds__(128, 8) warp_packed_count_long_##NAME(                                  \
      u32 *tokens, const u32 *byDoc, const u32 *ends, u32 docs, u32 K, u32 *cells, u32 most, u32 *beyond) {            \
    const auto state = PackedState<BITS, STEPS>::of(tokens);                                                           \
    rowsOf([=](u32 i) { return state.get(readOnly(byDoc + i), 0); }, ends, docs, 0xffffffffu, dynamicShared + kNear,   \
           K, Histogram{cells, most, beyond, true, dynamicShared});                                                    \
  }

STATISTICS(10x2, 10, 2)
STATISTICS(16x1, 16, 1)
STATISTICS(16x2, 16, 2)
