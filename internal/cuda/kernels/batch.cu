// batch: exact draws in mini-batches. Portable Go and the definition: batch,
// drawChunkGo and draw32 in internal/sampler; every float is rounded as there.
//
// A warp works on one document and draws its tokens one after the other, each by all
// 32 lanes: the canonical draw. Documents do not see each other inside a mini-batch.
// n_wk and n_k change only after it, in batch_update.
//
// Tokens are in drawing order: document after document, inside a document by
// increasing grid position. words, positions and topics have N entries each. kpad is K
// rounded up to a multiple of 32, and further where a kernel has a fixed number of
// groups of 32; rows of n_wk and of weights have kpad numbers. Topics beyond K have no
// weight: their α and inv are 0.
#include "draw32.h"

// Draw is everything that all documents of a mini-batch share.
struct Draw {
  const u32 *words, *positions;
  u16 *topics, *old;         // topics are replaced; old keeps what was there
  const float *weights;      // V × kpad: n_wk + β
  const float *alpha, *inv;  // kpad: α_k and 1/(n_k + Vβ), 0 beyond K
  u32 K, kpad;
  Key key;
  u32 iteration, purpose;

  __device__ const float *row(u32 word) const { return weights + word * (u64)kpad; }

  // The token's random number: word i mod 4 of block i div 4, i its grid position.
  __device__ float random(u32 token) const {
    const u32 i = positions[token];
    const Block b = philox(key, i / 4, iteration, purpose, 0);
    const u32 x0 = b.x[0], x1 = b.x[1], x2 = b.x[2], x3 = b.x[3];
    const u32 low = i % 2 ? x1 : x0, high = i % 2 ? x3 : x2;
    return (float)((i % 4 < 2 ? low : high) >> 8) * 0x1p-24f;
  }
};

// Document is the row of one document: n_dk and DNT_dk, kpad numbers each.
struct Document {
  u32 *n;
  float *dnt;

  __device__ float weight(const Draw &d, u32 k, u32 count) const {
    return ((float)count + readOnly(d.alpha + k)) * readOnly(d.inv + k);
  }

  __device__ void count(const Draw &d, u32 from, u32 to) const {
    for (u32 k = laneInWarp(); k < d.kpad; k += kLanes) n[k] = 0;
    syncWarp();
    for (u32 i = from + laneInWarp(); i < to; i += kLanes) {
      const u32 z = d.topics[i];
      d.old[i] = z;
      atomicAdd(n + z, 1);
    }
    syncWarp();
    for (u32 k = laneInWarp(); k < d.kpad; k += kLanes) dnt[k] = weight(d, k, n[k]);
    syncWarp();
  }

  // Moves a token from topic old, whose DNT without it is given, to topic k.
  __device__ void move(const Draw &d, u32 old, float without, u32 k) const {
    if (laneInWarp() == 0) {
      n[old]--;
      dnt[old] = without;
      n[k]++;
      dnt[k] = weight(d, k, n[k]);
    }
    syncWarp();
  }
};

// Own is a token's own contribution, to be taken out: step 2.
struct Own {
  u32 topic;
  float without, delta;

  __device__ Own(const Draw &d, const Document &doc, u32 topic, const float *row) : topic(topic) {
    without = doc.weight(d, topic, doc.n[topic] - 1);
    delta = doc.dnt[topic] * row[topic] - without * (row[topic] - 1.0f);
  }
  __device__ bool inLane() const { return topic % kLanes == laneInWarp(); }
};

// Lot is up to 32 tokens of a document, one in each lane.
struct Lot {
  u32 n, word, topic;
  float random;

  __device__ Lot(const Draw &d, u32 from, u32 to) : n(minimum(kLanes, to - from)) {
    const u32 token = from + minimum(laneInWarp(), n - 1);
    word = d.words[token];
    topic = d.topics[token];
    random = d.random(token);
  }
  // Ends the lot: topic holds the tokens' new topics.
  __device__ void store(const Draw &d, u32 from) const {
    if (laneInWarp() < n) d.topics[from + laneInWarp()] = topic;
  }
};

// How many of a lane's running sums but the last in use are ≤ rest (step 5). Sums grow,
// so those beyond the last in use change nothing once the number is cut.
template <u32 kGroups>
__device__ u32 passedSums(const float (&sums)[kGroups], float rest, u32 K) {
  u32 passed = 0;
#pragma unroll
  for (u32 g = 0; g < kGroups; g++) passed += sums[g] <= rest;
  return minimum(passed, (K - 1 - minimum(laneInWarp(), K - 1)) / kLanes);
}

// The same in the lane of the token's own topic, where delta is out of the sums from
// that topic on, and the sums fall where it is taken out.
template <u32 kGroups>
__device__ u32 passedOwnSums(const float (&sums)[kGroups], const Own &own, float rest, u32 K) {
  u32 passed = 0;
#pragma unroll
  for (u32 g = 0; g < kGroups; g++) {
    const float reach = g >= own.topic / kLanes ? sums[g] - own.delta : sums[g];
    passed += laneInWarp() + (g + 1) * kLanes < K && reach <= rest;
  }
  return passed;
}

// Draws the tokens of a document with kpad = 32 kGroups: a word's row and a lane's
// running sums stay in registers, and the next word's row is on its way while a
// lane is chosen.
template <u32 kGroups>
__device__ void drawDocument(const Draw &d, const Document &doc, u32 from, u32 to) {
  const u32 lane = laneInWarp();
  float row[kGroups], sums[kGroups];
  const auto fetch = [&](u32 word) {
    const float *next = d.row(word) + lane;
#pragma unroll
    for (u32 g = 0; g < kGroups; g++) row[g] = readOnly(next + g * kLanes);
  };
  if (from < to) fetch(d.words[from]);
  for (u32 at = from; at < to; at += kLanes) {
    Lot lot(d, at, to);
    const u32 after = d.words[minimum(at + kLanes, to - 1)];  // the next lot's first word
    for (u32 i = 0; i < lot.n; i++) {
      const Own own(d, doc, fromLane(lot.topic, i), d.row(fromLane(lot.word, i)));
      float sum = 0;
#pragma unroll
      for (u32 g = 0; g < kGroups; g++) {
        sum += doc.dnt[g * kLanes + lane] * row[g];
        sums[g] = sum;
      }
      const u32 following = fromLane(lot.word, i + 1);
      fetch(i + 1 < lot.n ? following : after);
      const Choice choice(own.inLane() ? sum - own.delta : sum, fromLane(lot.random, i), d.K);
      const u32 passed = choice.lane == own.topic % kLanes ? passedOwnSums(sums, own, choice.rest, d.K)
                                                           : passedSums(sums, choice.rest, d.K);
      const u32 k = choice.lane + kLanes * fromLane(passed, choice.lane);
      doc.move(d, own.topic, own.without, k);
      if (lane == i) lot.topic = k;
    }
    lot.store(d, at);
  }
}

// The same for any K, with running sums in memory (kpad numbers).
__device__ void drawLarge(const Draw &d, const Document &doc, u32 from, u32 to, float *sums) {
  const u32 lane = laneInWarp(), kpad = d.kpad;
  for (u32 at = from; at < to; at += kLanes) {
    Lot lot(d, at, to);
    for (u32 i = 0; i < lot.n; i++) {
      const float *row = d.row(fromLane(lot.word, i));
      const Own own(d, doc, fromLane(lot.topic, i), row);
      float sum = 0;
      for (u32 k = lane; k < kpad; k += kLanes) {
        sum += doc.dnt[k] * readOnly(row + k);
        sums[k] = own.inLane() && k >= own.topic ? sum - own.delta : sum;
      }
      const Choice choice(own.inLane() ? sum - own.delta : sum, fromLane(lot.random, i), d.K);
      syncWarp();
      u32 passed = 0;  // of every 32nd group of the chosen lane
      for (u32 k = choice.lane + lane * kLanes; k + kLanes < d.K; k += kLanes * kLanes)
        passed += sums[k] <= choice.rest;
#pragma unroll
      for (u32 s = 1; s < kLanes; s *= 2) passed += fromLane(passed, lane ^ s);
      const u32 k = choice.lane + kLanes * passed;
      doc.move(d, own.topic, own.without, k);
      if (lane == i) lot.topic = k;
    }
    lot.store(d, at);
  }
}

// The documents first … last-1; offsets (D+1) says where their tokens are. Each warp
// takes the next one from queue, which is zero before. Rows lie in shared memory (2
// kpad numbers a warp) or, for drawLarge, in scratch (3 kpad numbers a warp).
template <u32 kGroups>
__device__ void drawAll(const Draw &d, const u32 *offsets, u32 first, u32 last, u32 *queue, u32 *scratch) {
  const u32 kpad = d.kpad;
  u32 *memory = kGroups > 0 ? dynamicShared + threadInBlock() / kLanes * 2 * kpad
                            : scratch + threadInGrid() / kLanes * (u64)(3 * kpad);
  const Document doc{memory, (float *)memory + kpad};
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = first + fetchAdd(queue, 1);
    at = fromLane(at, 0);
    if (at >= last) return;
    const u32 from = offsets[at], to = offsets[at + 1];
    doc.count(d, from, to);
    if (kGroups > 0)
      drawDocument<kGroups == 0 ? 1 : kGroups>(d, doc, from, to);
    else
      drawLarge(d, doc, from, to, (float *)memory + 2 * kpad);
    syncWarp();
  }
}

#define DRAW(NAME, GROUPS, BLOCKS)                                                                                     \
  extern "C" __global__ void __launch_bounds__(128, BLOCKS) batch_draw_##NAME(                                         \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const float *weights, const float *alpha,         \
      const float *inv, const u32 *offsets, u32 first, u32 last, u32 *queue, u32 *scratch, u32 K, u32 kpad,            \
      u32 k0, u32 k1, u32 iteration, u32 purpose) {                                                                    \
    drawAll<GROUPS>(Draw{words, positions, topics, old, weights, alpha, inv, K, kpad, {k0, k1}, iteration, purpose},   \
                    offsets, first, last, queue, scratch);                                                             \
  }

DRAW(32, 1, 12)
DRAW(64, 2, 12)
DRAW(128, 4, 12)
DRAW(192, 6, 8)
DRAW(256, 8, 8)
DRAW(384, 12, 8)
DRAW(512, 16, 6)
DRAW(768, 24, 4)
DRAW(1024, 32, 4)
DRAW(any, 0, 8)

// inv_k = 1/(n_k + Vβ) and weights = n_wk + β: what a mini-batch works with.
extern "C" __global__ void batch_prepare(const u32 *nk, float *inv, const u32 *nwk, float *weights, u32 K, u64 cells,
                                         u64 vbeta, u32 beta) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid())
    inv[k] = (float)(1 / ((double)nk[k] + __builtin_bit_cast(double, vbeta)));
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid())
    weights[i] = (float)nwk[i] + __builtin_bit_cast(float, beta);
}

// Brings n_wk and n_k up to date with tokens first … last-1. Changes of n_k are added up
// in shared memory (K numbers) if there is any.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_update(const u32 *words, const u16 *topics, const u16 *old, u32 first, u32 last, u32 *nwk, u32 *nk, u32 K,
                 u32 kpad, u32 shared) {
  u32 *totals = shared ? dynamicShared : nk;
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  for (u32 i = first + threadInGrid(); i < last; i += threadsPerGrid()) {
    const u32 was = old[i], is = topics[i];
    if (was == is) continue;
    u32 *row = nwk + words[i] * (u64)kpad;
    atomicAdd(row + was, 0u - 1u);
    atomicAdd(row + is, 1);
    atomicAdd(totals + was, 0u - 1u);
    atomicAdd(totals + is, 1);
  }
  syncBlock();
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (totals[k] != 0) atomicAdd(nk + k, totals[k]);
}

// n_wk and n_k of all tokens, added to zeros.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_count(const u32 *words, const u16 *topics, u32 N, u32 *nwk, u32 *nk, u32 K, u32 kpad, u32 shared) {
  u32 *totals = shared ? dynamicShared : nk;
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    atomicAdd(nwk + words[i] * (u64)kpad + topics[i], 1);
    atomicAdd(totals + topics[i], 1);
  }
  syncBlock();
  if (shared)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      if (totals[k] != 0) atomicAdd(nk + k, totals[k]);
}
