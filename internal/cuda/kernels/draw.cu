// Drawing the topics of all tokens given theta and phi (the `mean` sampler), by
// the three methods of Steele and Tristan, "Using butterfly-patterned partial
// sums to draw from discrete distributions", PPoPP 2017:
//
//   draw_baseline    Algorithm 1 with the binary search of Algorithm 3:
//                    a thread reads its own rows, which no two lanes share
//   draw_transposed  Algorithm 4, transposing in registers (Figure 2): the warp
//                    reads 32 consecutive topics of one row at a time
//   draw_butterfly   Algorithm 7 (with 5, 8, 9, 10): the same reads, but instead
//                    of a transposition a butterfly-patterned table of partial
//                    sums, completed on the fly while it is searched
//
// Shapes, in the letters of the paper: M documents, a multiple of W = 32 (pad
// with empty ones), one per lane; theta M×K; phi V×K, the topics of a word
// together; words and topics one entry per token, document m's at offsets[m] …
// offsets[m+1]-1. table is scratch of K·W numbers for each warp of the launch,
// entry k of lane r at k·W + r, so that a warp's accesses are together.
//
// K = remnant + a multiple of W, the remnant first. The random number of a token
// is that of counter (token, iteration, purpose, 0).
//
// The paper caches theta rows in thread-local memory (Algorithm 5). That memory
// is device memory behind the same caches that hold theta itself, so theta is
// read in place, in the transposed order of Algorithm 5.
//
// Register arrays are read into constants before any choice between two of their
// entries: a choice of the entry itself would move the array to local memory.
//
// Portable Go: package discrete. Baseline and transposed draw what Binary draws
// bit for bit, butterfly what Butterfly draws, which adds as a tree and can differ
// where a sum rounds otherwise. Weights that are all zero, which discrete refuses,
// give topic K-1.
#include "philox.h"

// Tokens is what says which distributions are drawn from, and where topics go.
struct Tokens {
  const u32 *offsets, *words;
  u32 *topics;
  u32 groups;  // M / W
  Key key;
  u32 iteration, purpose;
};

template <class T>
__device__ T randomNumber(const Tokens &t, u32 token) {
  return uniform(philox(t.key, token, t.iteration, t.purpose, 0), T());
}

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

// a[k] of lane r: document k of the group, topic j + r (Algorithm 8, line 12).
template <class T>
__device__ void loadTransposed(T (&a)[kLanes], const T *groupTheta, const T *phi, const u32 (&word)[kLanes], u32 j,
                               u32 K, u32 lane) {
#pragma unroll
  for (u32 k = 0; k < kLanes; k++)
    a[k] = readOnly(groupTheta + k * (u64)K + j + lane) * readOnly(phi + word[k] * (u64)K + j + lane);
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

// Algorithms 4 and 7. A lane whose document has ended repeats its last token, so
// that it can go on helping the others; a lane without tokens reads word 0.
template <class T, class Method>
__device__ void drawTogether(const T *theta, const T *phi, T *table, u32 K, const Tokens &t) {
  const u32 lane = laneInWarp(), warp = threadInGrid() / kLanes, warps = threadsPerGrid() / kLanes;
  const u32 remnant = K % kLanes;
  T *p = table + warp * (u64)K * kLanes + lane;
  for (u32 q = warp; q < t.groups; q += warps) {
    const T *groupTheta = theta + q * (u64)kLanes * K;
    const u32 begin = t.offsets[q * kLanes + lane], n = t.offsets[q * kLanes + lane + 1] - begin;
    for (u32 master = 0; anyLane(master < n); master++) {
      const u32 token = begin + (n > 0 ? minimum(master, n - 1) : 0);
      const u32 own = n > 0 ? t.words[token] : 0;
      u32 word[kLanes];
#pragma unroll
      for (u32 k = 0; k < kLanes; k++) word[k] = fromLane(own, k);
      T sum = addAlone(p, groupTheta + lane * (u64)K, phi + own * (u64)K, 0, remnant, T(0));
      for (u32 j = remnant; j < K; j += kLanes) {
        T a[kLanes];
        loadTransposed(a, groupTheta, phi, word, j, K, lane);
        sum = Method::addBlock(p + j * (u64)kLanes, a, sum, lane);
      }
      u32 topic = Method::search(p, target(sum, randomNumber<T>(t, token)), K, lane);
      if (Method::mayMissWeight) topic = nearestPositive(topic, groupTheta + lane * (u64)K, phi + own * (u64)K, K);
      if (master < n) t.topics[token] = topic;
    }
  }
}

// Algorithm 1.
template <class T>
__device__ void drawAlone(const T *theta, const T *phi, T *table, u32 K, const Tokens &t) {
  const u32 warp = threadInGrid() / kLanes, warps = threadsPerGrid() / kLanes;
  T *p = table + warp * (u64)K * kLanes + laneInWarp();
  for (u32 q = warp; q < t.groups; q += warps) {
    const u32 m = q * kLanes + laneInWarp();
    for (u32 token = t.offsets[m]; token < t.offsets[m + 1]; token++) {
      const T sum = addAlone(p, theta + m * (u64)K, phi + t.words[token] * (u64)K, 0, K, T(0));
      t.topics[token] = searchSums(p, target(sum, randomNumber<T>(t, token)), K);
    }
  }
}

// Blocks have 128 threads. Two to a multiprocessor leave each thread 255
// registers: on an H200 that many loads in flight beat more warps.
#define KERNEL(NAME, T, BODY)                                                                                     \
  extern "C" __global__ void __launch_bounds__(128, 2)                                                            \
      NAME(const T *__restrict__ theta, const T *__restrict__ phi, T *__restrict__ table,                         \
           const u32 *__restrict__ offsets, const u32 *__restrict__ words, u32 *__restrict__ topics, u32 groups,  \
           u32 K, u32 k0, u32 k1, u32 iteration, u32 purpose) {                                                   \
    BODY(theta, phi, table, K, Tokens{offsets, words, topics, groups, {k0, k1}, iteration, purpose});             \
  }

KERNEL(draw_baseline_f32, float, drawAlone<float>)
KERNEL(draw_baseline_f64, double, drawAlone<double>)
KERNEL(draw_transposed_f32, float, (drawTogether<float, Transposed<float>>))
KERNEL(draw_transposed_f64, double, (drawTogether<double, Transposed<double>>))
KERNEL(draw_butterfly_f32, float, (drawTogether<float, Butterfly<float>>))
KERNEL(draw_butterfly_f64, double, (drawTogether<double, Butterfly<double>>))
