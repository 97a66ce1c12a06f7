// What batch's kernels share in training: random numbers by grid position, and counts that
// change with the draws.
#pragma once
#include "batch.h"

// Placed gives a token's random number by its grid position i: word i mod 4 of block i div 4.
struct Placed {
  const u32 *positions;
  u32 base;  // grid position of the part's first token
  Key key;
  u32 iteration, purpose;

  __device__ float operator()(u32 token) const { return at(positions[token]); }
  __device__ float at(u32 position) const {
    const u32 i = base + position;
    return unitAt(philox(key, i / 4, iteration, purpose, 0), i);
  }
};

// Counts are what draws change.
struct Counts {
  u32 *nwk;     // V × kpad
  u32 *totals;  // the block's changes of n_k

  // Moves the changed tokens of a document, whose topics before are in old.
  template <class D>
  __device__ void move(const D &d, const u16 *old, u32 from, u32 to) const {
    for (u32 i = from + laneInWarp(); i < to; i += kLanes) {
      const u32 was = old[i], is = d.topics[i];
      if (was == is) continue;
      u32 *row = nwk + d.words[i] * (u64)d.kpad;
      atomicAdd(row + was, 0u - 1u);
      atomicAdd(row + is, 1);
      atomicAdd(totals + was, 0u - 1u);
      atomicAdd(totals + is, 1);
    }
  }
};
