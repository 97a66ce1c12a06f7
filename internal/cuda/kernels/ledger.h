// Rows of n_wk and what blocks of threads do with them. Portable Go and the definition of the
// bytes: package blob.
#pragma once
#include "device.h"

typedef unsigned char u8;

const u32 kThreads = 128;  // of a block that works on a row

// Row is a number for every topic in shared memory. A thread has topics that follow each other,
// and the gaps keep those of neighbouring threads in different banks.
struct Row {
  u32 *numbers;

  __device__ u32 &at(u32 k) const { return numbers[k + k / kLanes]; }
};

// How many numbers of shared memory a row of K topics takes.
__device__ u32 rowNumbers(u32 K) { return K + K / kLanes + 1; }

// The topics of this thread: first … last-1.
struct Share {
  u32 first, last;

  __device__ Share(u32 K) {
    const u32 each = (K + threadsPerBlock() - 1) / threadsPerBlock();
    first = minimum(threadInBlock() * each, K);
    last = minimum(first + each, K);
  }
};

// The sum of n over the threads before this one, and over all. carry is a number of shared memory
// for each warp.
__device__ u32 sumBefore(u32 n, u32 *carry, u32 &all) {
  const u32 lane = laneInWarp(), warp = threadInBlock() / kLanes;
  u32 sum = n;
#pragma unroll
  for (u32 d = 1; d < kLanes; d *= 2) {
    const u32 before = fromLane(sum, lane - d);
    if (lane >= d) sum += before;
  }
  syncBlock();  // nobody reads an older carry
  if (lane == kLanes - 1) carry[warp] = sum;
  syncBlock();
  u32 before = 0;
  all = 0;
  for (u32 w = 0; w < threadsPerBlock() / kLanes; w++) {
    if (w == warp) before = all;
    all += carry[w];
  }
  return before + sum - n;
}

// The largest n of the threads before this one, 0 for none.
__device__ u32 largestBefore(u32 n, u32 *carry) {
  const u32 lane = laneInWarp(), warp = threadInBlock() / kLanes;
  u32 most = n;
#pragma unroll
  for (u32 d = 1; d < kLanes; d *= 2) {
    const u32 before = fromLane(most, lane - d);
    if (lane >= d && before > most) most = before;
  }
  syncBlock();
  if (lane == kLanes - 1) carry[warp] = most;
  syncBlock();
  const u32 beside = fromLane(most, lane - 1);
  u32 before = lane > 0 ? beside : 0;
  for (u32 w = 0; w < warp; w++)
    if (carry[w] > before) before = carry[w];
  return before;
}
