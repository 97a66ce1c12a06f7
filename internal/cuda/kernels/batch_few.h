// batch with at most 64 topics: the same draws as batch_draw.h, by threads instead of warps.
// Portable Go and the definition: batch in internal/sampler.
//
// With few topics most of what a warp does for a token is choosing a lane. Here a thread
// draws the tokens of a document one after the other and does the work of all lanes, so a
// warp is at work on 32 documents of about the same length. All numbers are rounded as
// there: lane sums, prefix sums and what is left of them are added in the same order.
// Only word rows are fetched together, each by neighbouring threads, those of the next
// tokens while the present ones are drawn. A thread takes several times longer for a token
// than a warp does, so documents that would be the last ones are drawn by warps.
#pragma once
#include "batch_counts.h"

// Floats are four numbers that are read together.
struct alignas(16) Floats {
  float x[4];
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

// Few is what a warp has in shared memory. If kGrouped, each document has α of its own.
template <u32 kWidth, u32 kGroups, bool kGrouped = false>
struct Few {
  static const u32 kTopics = kWidth * kGroups, kStride = kTopics + 4;

  float *alpha, *inv;  // kTopics
  u32 *totals;         // kTopics: changes of n_k
  float *dnt, *rows;   // 32 documents × kStride: DNT_dk, and n_wk + β of the words in turn
  u16 *n;              // kTopics × 32 documents: n_dk
  const float *own;    // α of the thread's document, if kGrouped

  __device__ Few(const float *a, const float *i) {
    alpha = (float *)dynamicShared;
    inv = alpha + kTopics;
    totals = (u32 *)(inv + kTopics);
    dnt = (float *)(totals + kTopics);
    rows = dnt + kStride * kLanes;
    n = (u16 *)(rows + kStride * kLanes);
    for (u32 k = laneInWarp(); k < kTopics; k += kLanes) {
      alpha[k] = a[k];
      inv[k] = i[k];
      totals[k] = 0;
    }
    syncWarp();
  }
  __device__ u16 &count(u32 k) const { return n[k * kLanes + laneInWarp()]; }
  __device__ float *doc() const { return dnt + laneInWarp() * kStride; }
  __device__ const float *row() const { return rows + laneInWarp() * kStride; }
  __device__ float weight(u32 k, u32 count) const {
    return ((float)count + (kGrouped ? readOnly(own + k) : alpha[k])) * inv[k];
  }

  // Fetches a part of every thread's next row: topics below K.
  __device__ void fetch(float (&next)[kTopics], const float *weights, u32 kpad, u32 word, u32 K) const {
    const u32 k = laneInWarp() % kWidth, sub = laneInWarp() / kWidth;
#pragma unroll
    for (u32 r = 0; r < kWidth; r++) {
      const float *from = weights + fromLane(word, r * (kLanes / kWidth) + sub) * (u64)kpad;
#pragma unroll
      for (u32 g = 0; g < kGroups; g++)
        next[r * kGroups + g] = g * kWidth + k < K ? readOnly(from + g * kWidth + k) : 0;
    }
  }
  // Puts what has been fetched where its thread finds it.
  __device__ void put(const float (&next)[kTopics]) const {
    const u32 k = laneInWarp() % kWidth, sub = laneInWarp() / kWidth;
    syncWarp();
#pragma unroll
    for (u32 r = 0; r < kWidth; r++) {
#pragma unroll
      for (u32 g = 0; g < kGroups; g++)
        rows[(r * (kLanes / kWidth) + sub) * kStride + g * kWidth + k] = next[r * kGroups + g];
    }
    syncWarp();
  }

  // Adds n_dk of the 32 documents to totals, times sign.
  __device__ void addTotals(u32 sign) const {
    syncWarp();
    for (u32 k = laneInWarp(); k < kTopics; k += kLanes) {
      u32 sum = 0;
      for (u32 j = 0; j < kLanes; j++) sum += n[k * kLanes + (k + j) % kLanes];
      totals[k] += sign * sum;
    }
    syncWarp();
  }
  __device__ void flush(u32 *nk, u32 K) const {
    syncWarp();
    for (u32 k = laneInWarp(); k < kTopics; k += kLanes)
      if (k < K && totals[k] != 0) atomicAdd(nk + k, totals[k]);
  }

  // A draw for a token with topic z by the random number u: steps 1 to 5. The weight of z without the token is given.
  __device__ u32 draw(u32 z, float without, float u, u32 K) const;

  // Draws a token's topic anew and counts it in its document.
  __device__ u32 move(u32 z, float u, u32 K) const {
    const float without = weight(z, count(z) - 1u);
    const u32 k = draw(z, without, u, K);
    count(z)--;
    doc()[z] = without;
    doc()[k] = weight(k, ++count(k));
    return k;
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

template <u32 kWidth, u32 kGroups, bool kGrouped>
__device__ u32 Few<kWidth, kGroups, kGrouped>::draw(u32 z, float without, float u, u32 K) const {
  const float *d = doc(), *w = row();
  const float delta = d[z] * w[z] - without * (w[z] - 1);
  float p[kWidth];
#pragma unroll
  for (u32 g = 0; g < kGroups; g++) {
#pragma unroll
    for (u32 l = 0; l < kWidth; l += 4) {
      const Floats a = *(const Floats *)(d + g * kWidth + l), b = *(const Floats *)(w + g * kWidth + l);
#pragma unroll
      for (u32 j = 0; j < 4; j++) p[l + j] = g == 0 ? a.x[j] * b.x[j] : p[l + j] + a.x[j] * b.x[j];
    }
  }
#pragma unroll
  for (u32 l = 0; l < kWidth; l++)
    if (l == z % kWidth) p[l] -= delta;
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
    sum += d[here] * w[here];
    const float reach = z % kWidth == lane && here >= z ? sum - delta : sum;
    if (here + kWidth < K && reach <= rest) k += kWidth;
  }
  return k;
}

// The documents of a launch, the longest first: warps draw the first longCount, threads the rest. Arrays of tokens are
// as long as a multiple of 4.
struct Listed {
  const u32 *offsets, *docs;
  u32 count, longCount;
  u16 *old;           // for topics of long documents
  const u32 *groups;  // of documents, if these have α of their own
};

// The tokens from … to-1 of a thread's document.
template <u32 kWidth, u32 kGroups, bool kGrouped>
__device__ void drawByThread(const Few<kWidth, kGroups, kGrouped> &f, const Draw<Placed> &d, u32 *nwk, u32 from,
                             u32 to) {
  for (u32 k = 0; k < f.kTopics; k++) f.count(k) = 0;
  for (u32 q = from / 4; 4 * q < to; q++) {
    u64 four = ((const u64 *)d.topics)[q];
#pragma unroll
    for (u32 i = 4 * q; i < 4 * q + 4; i++, four >>= 16)
      if (i >= from && i < to) f.count(four & 0xffff)++;
  }
  f.addTotals(0u - 1u);
  for (u32 k = 0; k < f.kTopics; k++) f.doc()[k] = f.weight(k, f.count(k));

  const auto load = [&](u32 q) {
    Quad quad = {};
    if (4 * q < to)
      quad = {((const Four *)d.words)[q], ((const Four *)d.random.positions)[q], ((const u64 *)d.topics)[q]};
    return quad;
  };
  Quad quad = load(from / 4);
  float next[kWidth * kGroups];
  f.fetch(next, d.weights, d.kpad, quad.words.x[0], d.K);
  for (u32 q = from / 4; anyLane(4 * q < to); q++) {
    const Quad after = load(q + 1);
#pragma unroll 1
    for (u32 i = 4 * q; i < 4 * q + 4; i++) {
      f.put(next);
      f.fetch(next, d.weights, d.kpad, i % 4 < 3 ? quad.words.x[1] : after.words.x[0], d.K);
      const u32 z = quad.topic();
      u32 k = z;
      if (i >= from && i < to) {
        k = f.move(z, d.random.at(quad.positions.x[0]), d.K);
        if (k != z) {
          u32 *row = nwk + quad.words.x[0] * (u64)d.kpad;
          atomicAdd(row + z, 0u - 1u);
          atomicAdd(row + k, 1);
        }
      }
      quad.next(k);
    }
    if (4 * q >= from && 4 * q + 4 <= to) {
      ((u64 *)d.topics)[q] = quad.topics;
    } else {
      for (u32 i = 4 * q; i < 4 * q + 4; i++, quad.topics >>= 16)
        if (i >= from && i < to) d.topics[i] = quad.topic();
    }
    quad = after;
  }
  f.addTotals(1);
}

template <u32 kWidth, u32 kGroups, bool kGrouped = false>
__device__ void drawListed(const Draw<Placed> &all, const Listed &l, u32 *queue, u32 *nwk, u32 *nk) {
  Draw<Placed> d = all;
  Few<kWidth, kGroups, kGrouped> f(d.alpha, d.inv);
  const Document whole{(u32 *)f.dnt, f.dnt + d.kpad};  // of a document that the warp draws
  const Counts counts{nwk, f.totals};
  for (;;) {
    u32 turn = 0;
    if (laneInWarp() == 0) turn = fetchAdd(queue, 1);
    turn = fromLane(turn, 0);
    if (turn < l.longCount) {
      const u32 from = l.offsets[l.docs[turn]], to = l.offsets[l.docs[turn] + 1];
      if (kGrouped) d.alpha = all.alpha + l.groups[l.docs[turn]] * (u64)d.kpad;
      syncWarp();
      whole.count(d, from, to, l.old);
      drawDocument<kGroups>(d, whole, from, to);
      syncWarp();
      counts.move(d, l.old, from, to);
      continue;
    }
    const u32 first = l.longCount + (turn - l.longCount) * kLanes;
    if (first >= l.count) break;
    u32 from = 0, to = 0;
    if (kGrouped) f.own = all.alpha;
    if (first + laneInWarp() < l.count) {
      const u32 doc = l.docs[first + laneInWarp()];
      from = l.offsets[doc];
      to = l.offsets[doc + 1];
      if (kGrouped) f.own = all.alpha + l.groups[doc] * (u64)d.kpad;
    }
    drawByThread(f, d, nwk, from, to);
  }
  f.flush(nk, d.K);
}
