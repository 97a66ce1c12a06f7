// batch with at most 64 topics: the same draws as batch.cu, by threads instead of warps.
// Portable Go and the definition: batch in internal/sampler.
//
// With few topics most of what a warp does for a token is choosing a lane. Here a thread
// draws the tokens of a document one after the other and does the work of all lanes, so a
// warp is at work on 32 documents of about the same length. All numbers are rounded as
// there: lane sums, prefix sums and what is left of them are added in the same order.
// Only word rows are fetched together, a row by neighbouring threads.
#include "batch.h"

// Few is a warp's shared memory, and what all documents share.
template <u32 kWidth, u32 kGroups>
struct Few {
  static const u32 kTopics = kWidth * kGroups, kStride = kTopics + 1;

  float *alpha, *inv;  // kTopics
  float *dnt;          // kTopics × 32 documents: DNT_dk
  float *rows;         // 32 documents × kStride: n_wk + β of the words in turn
  u16 *n;              // kTopics × 32 documents: n_dk

  __device__ Few() {
    alpha = (float *)dynamicShared;
    inv = alpha + kTopics;
    dnt = inv + kTopics;
    rows = dnt + kTopics * kLanes;
    n = (u16 *)(rows + kStride * kLanes);
  }
  __device__ u32 at(u32 k) const { return k * kLanes + laneInWarp(); }
  __device__ const float *row() const { return rows + laneInWarp() * kStride; }
  __device__ float weight(u32 k, u32 count) const { return ((float)count + alpha[k]) * inv[k]; }

  __device__ void setPriors(const float *a, const float *i) {
    for (u32 k = laneInWarp(); k < kTopics; k += kLanes) {
      alpha[k] = a[k];
      inv[k] = i[k];
    }
    syncWarp();
  }

  // Fetches the row of each thread's word, topics below K.
  __device__ void fetch(const float *weights, u32 kpad, u32 word, u32 K) {
    const u32 k = laneInWarp() % kWidth, sub = laneInWarp() / kWidth;
    syncWarp();
#pragma unroll 8
    for (u32 r = 0; r < kLanes; r += kLanes / kWidth) {
      const float *from = weights + fromLane(word, r + sub) * (u64)kpad;
#pragma unroll
      for (u32 g = 0; g < kGroups; g++)
        rows[(r + sub) * kStride + g * kWidth + k] = g * kWidth + k < K ? readOnly(from + g * kWidth + k) : 0;
    }
    syncWarp();
  }

  // Adds n_dk of the 32 documents to totals, times sign: thread l has topics l, l + 32, ….
  __device__ void addTotals(u32 (&totals)[kGroups], u32 sign) const {
    syncWarp();
#pragma unroll
    for (u32 g = 0; g < kGroups; g++) {
      const u32 k = g * kWidth + laneInWarp();
      if (laneInWarp() >= kWidth) continue;
      for (u32 j = 0; j < kLanes; j++) totals[g] += sign * n[k * kLanes + (laneInWarp() + j) % kLanes];
    }
    syncWarp();
  }
};

// Quad is four consecutive tokens, the first of which has a number that 4 divides; they may
// belong to several documents. One after the other comes to the front.
struct Quad {
  Four words, positions;
  u64 topics;  // 16 bits each

  __device__ u32 topic() const { return topics & 0xffff; }
  // Gives the token in front its topic and puts it at the end: after four times all are in their places again.
  __device__ void next(u32 topic) {
    topics = topics >> 16 | (u64)topic << 48;
#pragma unroll
    for (u32 j = 0; j < 3; j++) {
      words.x[j] = words.x[j + 1];
      positions.x[j] = positions.x[j + 1];
    }
  }
};

// Prefix sums of the lanes' sums (step 3).
template <u32 kWidth>
__device__ void prefixAll(float (&p)[kWidth]) {
#pragma unroll
  for (u32 half = 0; half < kWidth; half += 16) {
#pragma unroll
    for (u32 s = 1; s < 16; s *= 2) {
#pragma unroll
      for (u32 l = 15; l >= s; l--) p[half + l] += p[half + l - s];
    }
  }
  if (kWidth > 16) {
#pragma unroll
    for (u32 l = 16; l < kWidth; l++) p[l] += p[15];
  }
}

// A draw for a token with topic z by the random number u: steps 1 to 5, of which the row of
// the thread's word has been fetched.
template <u32 kWidth, u32 kGroups>
__device__ u32 drawFew(const Few<kWidth, kGroups> &f, u32 z, float without, float u, u32 K) {
  const float *row = f.row();
  const float delta = f.dnt[f.at(z)] * row[z] - without * (row[z] - 1);
  float p[kWidth];
#pragma unroll
  for (u32 l = 0; l < kWidth; l++) {
    p[l] = f.dnt[f.at(l)] * row[l];
#pragma unroll
    for (u32 g = 1; g < kGroups; g++) p[l] += f.dnt[f.at(g * kWidth + l)] * row[g * kWidth + l];
    if (l == z % kWidth) p[l] -= delta;
  }
  prefixAll(p);
  const float t = u * p[kWidth - 1];
  u32 passed = 0;
#pragma unroll
  for (u32 l = 0; l < kWidth; l++) passed |= (u32)(p[l] <= t) << l;
  const u32 used = K < kLanes ? (1u << (K - 1)) - 1 : 0x7fffffffu;
  const u32 lane = __builtin_popcount(passed & used);
  float before = 0;
#pragma unroll
  for (u32 l = 0; l + 1 < kWidth; l++) before = l + 1 == lane ? p[l] : before;
  const float rest = t - before;

  u32 k = lane;
  float sum = 0;
#pragma unroll
  for (u32 g = 0; g + 1 < kGroups; g++) {
    const u32 here = g * kWidth + lane;
    sum += f.dnt[f.at(here)] * row[here];
    const float reach = z % kWidth == lane && here >= z ? sum - delta : sum;
    if (here + kWidth < K && reach <= rest) k += kWidth;
  }
  return k;
}

// Draws a token's topic anew and counts it in its document.
template <u32 kWidth, u32 kGroups>
__device__ u32 moveFew(const Few<kWidth, kGroups> &f, u32 z, float u, u32 K) {
  const float without = f.weight(z, f.n[f.at(z)] - 1u);
  const u32 k = drawFew(f, z, without, u, K);
  f.n[f.at(z)]--;
  f.dnt[f.at(z)] = without;
  f.dnt[f.at(k)] = f.weight(k, ++f.n[f.at(k)]);
  return k;
}

// The documents listed in docs: count of them, the longest first. offsets says where their
// tokens are, queue is zero before. Arrays of tokens are as long as a multiple of 4.
template <u32 kWidth, u32 kGroups>
__device__ void drawAllFew(const u32 *words, const u32 *positions, u16 *topics, const float *weights, const float *alpha,
                           const float *inv, const u32 *offsets, const u32 *docs, u32 count, u32 *queue, u32 *nwk,
                           u32 *nk, u32 K, u32 kpad, u32 base, Key key, u32 iteration, u32 purpose) {
  Few<kWidth, kGroups> f;
  u32 totals[kGroups] = {};
  f.setPriors(alpha, inv);
  for (;;) {
    u32 first = 0;
    if (laneInWarp() == 0) first = fetchAdd(queue, kLanes);
    first = fromLane(first, 0) + laneInWarp();
    if (!anyLane(first < count)) break;
    u32 from = 0, to = 0;
    if (first < count) {
      from = offsets[docs[first]];
      to = offsets[docs[first] + 1];
    }
    for (u32 k = 0; k < f.kTopics; k++) f.n[f.at(k)] = 0;
    for (u32 q = from / 4; 4 * q < to; q++) {
      u64 four = ((const u64 *)topics)[q];
#pragma unroll
      for (u32 i = 4 * q; i < 4 * q + 4; i++, four >>= 16)
        if (i >= from && i < to) f.n[f.at(four & 0xffff)]++;
    }
    f.addTotals(totals, 0u - 1u);
    for (u32 k = 0; k < f.kTopics; k++) f.dnt[f.at(k)] = f.weight(k, f.n[f.at(k)]);

    for (u32 q = from / 4; anyLane(4 * q < to); q++) {
      Quad quad = {};
      if (4 * q < to) quad = {((const Four *)words)[q], ((const Four *)positions)[q], ((const u64 *)topics)[q]};
#pragma unroll 1
      for (u32 i = 4 * q; i < 4 * q + 4; i++) {
        const bool mine = i >= from && i < to;
        const u32 word = mine ? quad.words.x[0] : 0, z = quad.topic();
        f.fetch(weights, kpad, word, K);
        u32 k = z;
        if (mine) {
          const u32 place = base + quad.positions.x[0];
          k = moveFew(f, z, unitAt(philox(key, place / 4, iteration, purpose, 0), place), K);
          if (k != z) {
            atomicAdd(nwk + word * (u64)kpad + z, 0u - 1u);
            atomicAdd(nwk + word * (u64)kpad + k, 1);
          }
        }
        quad.next(k);
      }
      if (4 * q >= from && 4 * q + 4 <= to) {
        ((u64 *)topics)[q] = quad.topics;
      } else {
        for (u32 i = 4 * q; i < 4 * q + 4; i++, quad.topics >>= 16)
          if (i >= from && i < to) topics[i] = quad.topic();
      }
    }
    f.addTotals(totals, 1);
  }
#pragma unroll
  for (u32 g = 0; g < kGroups; g++) {
    const u32 k = g * kWidth + laneInWarp();
    if (laneInWarp() < kWidth && k < K && totals[g] != 0) atomicAdd(nk + k, totals[g]);
  }
}

#define FEW(NAME, WIDTH, GROUPS, BLOCKS)                                                                               \
  extern "C" __global__ void __launch_bounds__(32, BLOCKS) batch_few_##NAME(                                           \
      const u32 *words, const u32 *positions, u16 *topics, const float *weights, const float *alpha, const float *inv, \
      const u32 *offsets, const u32 *docs, u32 count, u32 *queue, u32 *nwk, u32 *nk, u32 K, u32 kpad, u32 base,        \
      u32 k0, u32 k1, u32 iteration, u32 purpose) {                                                                    \
    drawAllFew<WIDTH, GROUPS>(words, positions, topics, weights, alpha, inv, offsets, docs, count, queue, nwk, nk, K,  \
                              kpad, base, {k0, k1}, iteration, purpose);                                               \
  }

FEW(16, 16, 1, 16)
FEW(32, 32, 1, 16)
FEW(64, 32, 2, 10)
