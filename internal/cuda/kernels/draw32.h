// The canonical draw by the 32 lanes of a warp, from its third step on: what all exact
// draws share. Portable Go and the definition: internal/sampler/draw32.go.
#pragma once
#include "philox.h"

// Prefix sums over the lanes: draw32's step 3.
__device__ float prefix32(float p) {
  const u32 lane = laneInWarp();
#pragma unroll
  for (u32 s = 1; s < 16; s *= 2) {
    const float before = fromLane(p, lane - s);
    if (lane % 16 >= s) p += before;
  }
  const float low = fromLane(p, 15);
  return lane >= 16 ? p + low : p;
}

// The lane that the random number u picks, and how far it reaches into that lane's
// sums: steps 4 and 5.
struct Choice {
  u32 lane;
  float rest;

  __device__ Choice(float sum, float u, u32 K) {
    const float p = prefix32(sum), t = u * fromLane(p, kLanes - 1);
    const u32 used = K < kLanes ? (1u << (K - 1)) - 1 : 0x7fffffffu;
    lane = __builtin_popcount(lanesWhere(p <= t) & used);
    const float before = fromLane(p, (lane + kLanes - 1) % kLanes);
    rest = lane > 0 ? t - before : t;
  }
};
