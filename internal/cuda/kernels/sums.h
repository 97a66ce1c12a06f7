// Partial sums of 32 distributions, one for each lane, and searches in them: what
// draw.cu and mean.cu share of Steele and Tristan, PPoPP 2017. Entry k of lane r
// lies at p[k·W] where p already points at lane r's first entry.
//
// Register arrays are read into constants before any choice between two of their
// entries: a choice of the entry itself would move the array to local memory.
//
// Portable Go: package discrete.
#pragma once
#include "philox.h"

// u' = sum·u, made smaller than sum where rounding would reach it, which happens
// only when sum is subnormal: discrete's target.
__device__ float below(float x) { return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) - 1); }
__device__ double below(double x) { return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) - 1); }
template <class T>
__device__ T target(T sum, T u) {
  const T stop = sum * u;
  return stop < sum || sum == 0 ? stop : below(sum);
}

// k if its weight is positive, else the nearest smaller topic with a positive
// weight, else the nearest larger one, else the last: discrete's nearestPositive.
// The butterfly finds the same prefix sum along two paths with two roundings, and
// a number between the two leads to a topic without a share.
template <class T>
__device__ u32 nearestPositive(u32 k, const T *theta, const T *phi, u32 K) {
  for (u32 i = k; i < K; i--)  // ends below 0, where i is large
    if (theta[i] * phi[i] > 0) return i;
  for (u32 i = k + 1; i < K; i++)
    if (theta[i] * phi[i] > 0) return i;
  return K - 1;
}

// Algorithm 3: the first of K entries larger than stop, or the last.
template <class T>
__device__ u32 searchSums(const T *p, T stop, u32 K) {
  u32 j = 0, k = K - 1;
  while (j < k) {
    const u32 mid = (j + k) / 2;
    if (stop < p[mid * (u64)kLanes])
      k = mid;
    else
      j = mid + 1;
  }
  return j;
}

// The products theta·phi of topics from … to-1 by one lane alone, added to sum
// one after the other, with every partial sum stored: Algorithm 1, lines 7–12.
template <class T>
__device__ T addAlone(T *p, const T *theta, const T *phi, u32 from, u32 to, T sum) {
  for (u32 k = from; k < to; k++) {
    sum += theta[k] * phi[k];
    p[k * (u64)kLanes] = sum;
  }
  return sum;
}

template <class T>
struct Transposed {
  static const bool mayMissWeight = false;  // a partial sum above another has weight

  // Exchanges registers whose numbers differ in one bit between lanes whose
  // numbers differ in that bit, for each bit (Figure 2).
  static __device__ void transpose(T (&a)[kLanes], u32 lane) {
#pragma unroll
    for (u32 bit = 1; bit < kLanes; bit *= 2) {
#pragma unroll
      for (u32 i = 0; i < kLanes; i++) {
        if (i & bit) continue;
        const bool upper = lane & bit;
        const T first = a[i], second = a[i + bit];
        const T received = fromLaneXor(upper ? first : second, bit);
        a[i] = upper ? received : first;
        a[i + bit] = upper ? second : received;
      }
    }
  }

  // Algorithm 6, lines 10–18.
  static __device__ T addBlock(T *p, T (&a)[kLanes], T sum, u32 lane) {
    transpose(a, lane);
#pragma unroll
    for (u32 k = 0; k < kLanes; k++) {
      sum += a[k];
      p[k * (u64)kLanes] = sum;
    }
    return sum;
  }

  static __device__ u32 search(const T *p, T stop, u32 K, u32) { return searchSums(p, stop, K); }
};

template <class T>
struct Butterfly {
  static const bool mayMissWeight = true;

  // Algorithm 8, lines 13–24, in the "add-subtract" form: where four entries
  // hold [a b; c d], they become [a d; a+b c+d].
  static __device__ T addBlock(T *p, T (&a)[kLanes], T sum, u32 lane) {
#pragma unroll
    for (u32 bit = 1; bit < kLanes; bit *= 2) {
#pragma unroll
      for (u32 i = 0; i < kLanes / (2 * bit); i++) {
        const u32 d = 2 * bit * i + bit - 1;
        const bool upper = lane & bit;
        const T first = a[d], second = a[d + bit];
        const T received = fromLaneXor(upper ? first : second, bit);
        const T kept = upper ? second : first;
        a[d + bit] = kept + received;
        p[d * (u64)kLanes] = kept;
      }
    }
    sum += a[kLanes - 1];
    p[(kLanes - 1) * (u64)kLanes] = sum;
    return sum;
  }

  // Algorithm 10: lanes look up entries for each other and find, each for its
  // own document, the topic inside the block that starts at base. A tree node of
  // lane r holds the left half's sum where bit `bit` of r is 0, the right half's
  // where it is 1, so the middle is low + y or high - y.
  static __device__ u32 searchBlock(const T *p, T stop, u32 base, u32 lane) {
    T low = base > 0 ? p[(base - 1) * (u64)kLanes] : T(0);
    T high = p[(base + kLanes - 1) * (u64)kLanes];
    u32 flip = 0;
#pragma unroll
    for (u32 bit = kLanes / 2; bit > 0; bit /= 2) {
      const u32 mask = (kLanes - 1) & ~(2 * bit - 1);
      T y = 0;
#pragma unroll
      for (u32 i = 0; i < kLanes / (2 * bit); i++) {
        const u32 d = bit - 1 + 2 * bit * i;
        const u32 him = (d & mask) + (lane & ~mask);
        const u32 hisBase = fromLane(base, him);
        const T t = fromLane(p[(hisBase + d) * (u64)kLanes], lane ^ flip);
        if (((lane ^ d) & mask) == 0) y = t;
      }
      const T middle = lane & bit ? high - y : low + y;
      if (stop < middle) {
        high = middle;
        flip ^= bit & lane;
      } else {
        low = middle;
        flip ^= bit & ~lane;
      }
    }
    return base + (flip ^ lane);
  }

  // Algorithm 9: the block by its last entry, then inside it; if the number lies
  // before the first block, the remnant.
  static __device__ u32 search(const T *p, T stop, u32 K, u32 lane) {
    const u32 remnant = K % kLanes, blocks = K / kLanes;
    if (blocks == 0) return searchSums(p, stop, K);
    u32 j = 0, k = blocks - 1;
    while (j < k) {
      const u32 mid = (j + k) / 2;
      if (stop < p[(remnant + mid * kLanes + kLanes - 1) * (u64)kLanes])
        k = mid;
      else
        j = mid + 1;
    }
    const u32 found = searchBlock(p, stop, remnant + j * kLanes, lane);
    if (remnant > 0 && stop < p[(remnant - 1) * (u64)kLanes]) return searchSums(p, stop, remnant);
    return found;
  }
};
