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
// Portable Go: package discrete. Baseline and transposed draw what Binary draws
// bit for bit, butterfly what Butterfly draws, which adds as a tree and can differ
// where a sum rounds otherwise. Weights that are all zero, which discrete refuses,
// give topic K-1.
#include "sums.h"

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

// a[k] of lane r: document k of the group, topic j + r (Algorithm 8, line 12).
template <class T>
__device__ void loadTransposed(T (&a)[kLanes], const T *groupTheta, const T *phi, const u32 (&word)[kLanes], u32 j,
                               u32 K, u32 lane) {
#pragma unroll
  for (u32 k = 0; k < kLanes; k++)
    a[k] = readOnly(groupTheta + k * (u64)K + j + lane) * readOnly(phi + word[k] * (u64)K + j + lane);
}

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
