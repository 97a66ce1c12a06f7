// Draws of all documents by warps, which batch.cu and batch_groups.cu share.
#pragma once
#include "batch_counts.h"

// The documents first … last-1; offsets says where their tokens are. Each warp
// takes the next one from queue, which is zero before. Rows lie in shared memory (2
// kpad numbers a warp, and kpad for changes of n_k where they are counted) or, for
// drawLarge, in scratch (3 kpad numbers a warp).
// If kGrouped, d.alpha has a row of α for each group of documents, and groups says which each document has.
template <u32 kGroups, bool kCounts, bool kGrouped = false>
__device__ void drawAll(const Draw<Placed> &all, u16 *old, const u32 *offsets, u32 first, u32 last, u32 *queue,
                        u32 *scratch, u32 *nwk, u32 *nk, const u32 *groups = nullptr) {
  Draw<Placed> d = all;
  const u32 kpad = d.kpad, thread = threadInBlock(), threads = threadsPerBlock();
  u32 *memory =
      kGroups > 0 ? dynamicShared + thread / kLanes * 2 * kpad : scratch + threadInGrid() / kLanes * (u64)(3 * kpad);
  const Counts counts{nwk, dynamicShared + threads / kLanes * 2 * kpad};
  if (kCounts) {
    for (u32 k = thread; k < kpad; k += threads) counts.totals[k] = 0;
    syncBlock();
  }
  const Document doc{memory, (float *)memory + kpad};
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = first + fetchAdd(queue, 1);
    at = fromLane(at, 0);
    if (at >= last) break;
    if (kGrouped) d.alpha = all.alpha + groups[at] * (u64)kpad;
    const u32 from = offsets[at], to = offsets[at + 1];
    doc.count(d, from, to, old);
    drawTokens<kGroups>(d, doc, from, to, (float *)memory + 2 * kpad);
    syncWarp();
    if (kCounts) counts.move(d, old, from, to);
  }
  if (!kCounts) return;
  syncBlock();
  for (u32 k = thread; k < d.K; k += threads)
    if (counts.totals[k] != 0) atomicAdd(nk + k, counts.totals[k]);
}
