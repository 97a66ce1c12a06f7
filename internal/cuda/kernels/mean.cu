// mean: theta and phi fixed for a sweep, topics drawn by the three methods of Steele and
// Tristan, PPoPP 2017 (sums.h): baseline (Algorithm 1), transposed (Algorithm 4) and
// butterfly (Algorithm 7). Portable Go and the definition: mean, gammas and portable.go in
// internal/sampler, and package discrete; every number is rounded as there.
//
// A warp works on one document and draws 32 of its tokens at once, one in each lane: lane
// r has the tokens r, r + 32, … of the document, as in portable Go. (The paper gives each
// of 32 documents a lane, as draw.cu does; here all lanes share a row of theta.)
//
// T is float or double. phi is V × K; unless drawn it has no factor 1/(n_k + Vβ), which is
// in theta.
#include "sums.h"

// ln x and e^x: portableLog and portableExp. x of the logarithm is a normal number.
const double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

__device__ double portableLog(double x) {
  const u64 bits = __builtin_bit_cast(u64, x);
  int n = (int)(bits >> 52) - 1022;  // x = m·2^n, ½ ≤ m < 1
  double m = __builtin_bit_cast(double, (bits & 0xfffffffffffffull) | 1022ull << 52);
  if (m < 0x1.6a09e667f3bcdp-1) {  // √½
    m = 2 * m;
    n--;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
#pragma unroll
  for (int i = 21; i >= 1; i -= 2) sum = 1 / (double)i + square * sum;
  return (double)n * (kLn2High + kLn2Low) + 2 * s * sum;
}

__device__ double portableExp(double x) {
  if (x < -700) return 0;
  x = x < 700 ? x : 700;
  const double n = __builtin_floor(x * 1.44269504088896340736 + 0.5);
  double r = x - n * kLn2High;
  r -= n * kLn2Low;
  double sum = 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 1.0 / 2;
  sum = sum * r + 1;
  sum = sum * r + 1;
  return sum * __builtin_bit_cast(double, (u64)((long long)n + 1023) << 52);
}

// Gamma variates, numbered by an index (Marsaglia and Tsang 2000).
struct Gammas {
  Key key;
  u32 iteration, purpose;

  __device__ Block block(u64 index, u32 attempt) const {
    return philox(key, (u32)index, iteration, purpose | attempt << 8, (u32)(index >> 32));
  }
  static __device__ double between(u32 word) { return ((double)word + 0.5) / 4294967296.0; }

  __device__ double draw(u64 index, double shape) const {
    double boost = 1;
    if (shape < 1) {
      boost = portableExp(portableLog(between(block(index, 0).x[3])) / shape);
      shape++;
    }
    const double d = shape - 1.0 / 3, c = 1 / squareRoot(9 * d);
    for (u32 attempt = 0;; attempt++) {
      const Block u = block(index, attempt);
      const double a = 2 * between(u.x[0]) - 1, b = 2 * between(u.x[1]) - 1;
      const double square = a * a + b * b;
      if (square >= 1) continue;
      const double normal = a * squareRoot(-2 * portableLog(square) / square);
      double v = 1 + c * normal;
      if (v <= 0) continue;
      v = v * v * v;
      if (portableLog(between(u.x[2])) < normal * normal / 2 + d * (1 - v + portableLog(v))) return d * v * boost;
    }
  }
};

// Sweep is everything that all documents share.
template <class T>
struct Sweep {
  const u32 *words, *offsets;  // N, D+1
  u32 *topics;                 // N
  const T *phi, *inverse;      // V × K, K
  const double *alpha;         // K
  u32 D, K, uncollapsed;
  Key key;
  u32 iteration, forDraw, forTheta;

  // rng.Float64 of the two words, or rng.Float32 of the one, that are token i's.
  __device__ double random(u32 i, double) const {
    const Block b = philox(key, i / 2, iteration, forDraw, 0);
    const u32 x0 = b.x[0], x1 = b.x[1], x2 = b.x[2], x3 = b.x[3];
    const u32 high = i % 2 ? x2 : x0, low = i % 2 ? x3 : x1;
    return (double)(((u64)high << 32 | low) >> 11) * 0x1p-53;
  }
  __device__ float random(u32 i, float) const {
    const Block b = philox(key, i / 4, iteration, forDraw, 0);
    const u32 x0 = b.x[0], x1 = b.x[1], x2 = b.x[2], x3 = b.x[3];
    const u32 low = i % 2 ? x1 : x0, high = i % 2 ? x3 : x2;
    return (float)((i % 4 < 2 ? low : high) >> 8) * 0x1p-24f;
  }

  // theta (K numbers) of a document, times inverse; n is scratch of K numbers.
  __device__ void fixTheta(T *theta, u32 *n, u32 doc) const {
    for (u32 k = laneInWarp(); k < K; k += kLanes) n[k] = 0;
    syncWarp();
    for (u32 i = offsets[doc] + laneInWarp(); i < offsets[doc + 1]; i += kLanes) atomicAdd(n + topics[i], 1);
    syncWarp();
    const Gammas gammas{key, iteration, forTheta};
    for (u32 k = laneInWarp(); k < K; k += kLanes) {
      double shape = (double)n[k] + alpha[k];
      if (uncollapsed) shape = gammas.draw(doc * (u64)K + k, shape);
      theta[k] = (T)shape * inverse[k];
    }
    syncWarp();
  }
};

// Algorithm 1: a lane adds up the products of its own token.
template <class T>
struct Baseline {
  static const bool mayMissWeight = false;
  static __device__ T addAll(T *p, const T *theta, const T *phi, u32 own, u32 K) {
    return addAlone(p, theta, phi + own * (u64)K, 0, K, T(0));
  }
  static __device__ u32 search(const T *p, T stop, u32 K, u32) { return searchSums(p, stop, K); }
};

// Algorithms 4 and 7: the warp reads 32 topics of one token's word at a time.
template <class T, class Method>
struct Together : Method {
  static __device__ T addAll(T *p, const T *theta, const T *phi, u32 own, u32 K) {
    const u32 lane = laneInWarp(), remnant = K % kLanes;
    u32 word[kLanes];
#pragma unroll
    for (u32 k = 0; k < kLanes; k++) word[k] = fromLane(own, k);
    T sum = addAlone(p, theta, phi + own * (u64)K, 0, remnant, T(0));
    for (u32 j = remnant; j < K; j += kLanes) {
      const T weight = theta[j + lane];
      T a[kLanes];
#pragma unroll
      for (u32 k = 0; k < kLanes; k++) a[k] = weight * readOnly(phi + word[k] * (u64)K + j + lane);
      sum = Method::addBlock(p + j * (u64)kLanes, a, sum, lane);
    }
    return sum;
  }
};

// Draws all topics anew. Each warp takes the next document from queue, which is zero
// before. Scratch of each warp: rows has K of T, counts K, table 32 K of T.
template <class T, class Method>
__device__ void drawAll(const Sweep<T> &s, u32 *queue, T *rows, u32 *counts, T *table) {
  const u32 lane = laneInWarp(), K = s.K;
  const u64 warp = threadInGrid() / kLanes;
  T *theta = rows + warp * K, *p = table + warp * K * kLanes + lane;
  for (;;) {
    u32 doc = 0;
    if (lane == 0) doc = fetchAdd(queue, 1);
    doc = fromLane(doc, 0);
    if (doc >= s.D) return;
    const u32 from = s.offsets[doc], to = s.offsets[doc + 1];
    if (from == to) continue;
    s.fixTheta(theta, counts + warp * K, doc);
    for (u32 at = from; at < to; at += kLanes) {
      const u32 token = minimum(at + lane, to - 1);  // idle lanes repeat the last token
      const u32 own = s.words[token];
      const T sum = Method::addAll(p, theta, s.phi, own, K);
      syncWarp();
      u32 topic = Method::search(p, target(sum, s.random(token, T())), K, lane);
      if (Method::mayMissWeight) topic = nearestPositive(topic, theta, s.phi + own * (u64)K, K);
      syncWarp();
      if (at + lane < to) s.topics[token] = topic;
    }
    syncWarp();
  }
}

// Blocks have 128 threads, as in draw.cu.
#define DRAW(METHOD, BITS, T, ...)                                                                                    \
  extern "C" __global__ void __launch_bounds__(128, 2) mean_draw_##METHOD##_f##BITS(                                  \
      const u32 *words, const u32 *offsets, u32 *topics, const T *__restrict__ phi, const T *inverse,                 \
      const double *alpha, u32 *queue, T *rows, u32 *counts, T *table, u32 D, u32 K, u32 uncollapsed, u32 k0, u32 k1, \
      u32 iteration, u32 forDraw, u32 forTheta) {                                                                     \
    drawAll<T, __VA_ARGS__>(                                                                                          \
        Sweep<T>{                                                                                                     \
            words, offsets, topics, phi, inverse, alpha, D, K, uncollapsed, {k0, k1}, iteration, forDraw, forTheta},  \
        queue, rows, counts, table);                                                                                  \
  }

DRAW(baseline, 32, float, Baseline<float>)
DRAW(baseline, 64, double, Baseline<double>)
DRAW(transposed, 32, float, Together<float, Transposed<float>>)
DRAW(transposed, 64, double, Together<double, Transposed<double>>)
DRAW(butterfly, 32, float, Together<float, Butterfly<float>>)
DRAW(butterfly, 64, double, Together<double, Butterfly<double>>)

// Means: phi = n_wk + β and inverse = 1/(n_k + Vβ). beta and vbeta are the bits of doubles.
template <class T>
__device__ void fixMeans(const u32 *nwk, T *phi, u64 cells, const u32 *nk, T *inverse, u32 K, u64 beta, u64 vbeta) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid())
    inverse[k] = (T)(1 / ((double)nk[k] + __builtin_bit_cast(double, vbeta)));
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid())
    phi[i] = (T)nwk[i] + (T) __builtin_bit_cast(double, beta);
}

// Variates: phi ~ Gamma(n_wk + β), rounded to 32 bits.
template <class T>
__device__ void drawPhi(const u32 *nwk, T *phi, u64 cells, u64 beta, const Gammas &gammas) {
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid())
    phi[i] = (T)(float)gammas.draw(i, (double)nwk[i] + __builtin_bit_cast(double, beta));
}

// sums = Σ_w phi, added in increasing w.
template <class T>
__device__ void sumPhi(const T *phi, double *sums, u32 V, u32 K) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid()) {
    double sum = 0;
#pragma unroll 8
    for (u32 w = 0; w < V; w++) sum += (double)readOnly(phi + w * (u64)K + k);
    sums[k] = sum;
  }
}

// Divides the variates by their sums, rounded to 32 bits, and makes inverse 1.
template <class T>
__device__ void dividePhi(T *phi, u64 cells, const double *sums, T *inverse, u32 K) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid()) inverse[k] = 1;
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid()) {
    const double sum = readOnly(sums + i % K);
    if (sum > 0) phi[i] = (T)(float)((double)phi[i] / sum);
  }
}

#define FIX(BITS, T)                                                                                               \
  extern "C" __global__ void mean_fix_f##BITS(const u32 *nwk, T *phi, u64 cells, const u32 *nk, T *inverse, u32 K, \
                                              u64 beta, u64 vbeta) {                                               \
    fixMeans<T>(nwk, phi, cells, nk, inverse, K, beta, vbeta);                                                     \
  }                                                                                                                \
  extern "C" __global__ void mean_phi_f##BITS(const u32 *nwk, T *phi, u64 cells, u64 beta, u32 k0, u32 k1,         \
                                              u32 iteration, u32 purpose) {                                        \
    drawPhi<T>(nwk, phi, cells, beta, Gammas{{k0, k1}, iteration, purpose});                                       \
  }                                                                                                                \
  extern "C" __global__ void mean_sum_f##BITS(const T *phi, double *sums, u32 V, u32 K) {                          \
    sumPhi<T>(phi, sums, V, K);                                                                                    \
  }                                                                                                                \
  extern "C" __global__ void mean_divide_f##BITS(T *phi, u64 cells, const double *sums, T *inverse, u32 K) {       \
    dividePhi<T>(phi, cells, sums, inverse, K);                                                                    \
  }

FIX(32, float)
FIX(64, double)
