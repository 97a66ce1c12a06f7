// Exact draws of a document's tokens by a warp: what training (batch.cu) and the topics
// of new documents (fold.cu) share. Portable Go and the definition: drawChunkGo and
// draw32 in internal/sampler; every float is rounded as there.
//
// A warp draws a document's tokens one after the other, each by all 32 lanes: the canonical
// draw. Tokens are in drawing order: document after document, inside a document by
// increasing grid position. kpad is K rounded up to a multiple of 32, and further where a
// kernel has a fixed number of groups of 32; rows of weights have kpad numbers. Topics
// beyond K have no weight: their α and inv are 0.
#pragma once
#include "draw32.h"

// Word i mod 4 of a block of random words, as a number below 1.
__device__ float unitAt(const Block &b, u32 i) {
  const u32 x0 = b.x[0], x1 = b.x[1], x2 = b.x[2], x3 = b.x[3];
  const u32 low = i % 2 ? x1 : x0, high = i % 2 ? x3 : x2;
  return (float)((i % 4 < 2 ? low : high) >> 8) * 0x1p-24f;
}

// Draw is everything that all documents share. Random gives a token's random number.
template <class Random>
struct Draw {
  const u32 *words;          // a row of weights for each token
  u16 *topics;               // replaced
  const float *weights;      // rows × kpad: n_wk + β
  const float *alpha, *inv;  // kpad: α_k and 1/(n_k + Vβ), 0 beyond K
  u32 K, kpad;
  float own;  // how much of a row is the token's own count: 1, or 0 where the row does not contain it
  Random random;

  __device__ const float *row(u32 word) const { return weights + word * (u64)kpad; }
};

// Document is the row of one document: n_dk and DNT_dk, kpad numbers each.
struct Document {
  u32 *n;
  float *dnt;

  template <class D>
  __device__ float weight(const D &d, u32 k, u32 count) const {
    return ((float)count + readOnly(d.alpha + k)) * readOnly(d.inv + k);
  }

  // Counts the document's tokens. Their topics are copied to old, if there is one.
  template <class D>
  __device__ void count(const D &d, u32 from, u32 to, u16 *old) const {
    for (u32 k = laneInWarp(); k < d.kpad; k += kLanes) n[k] = 0;
    syncWarp();
    for (u32 i = from + laneInWarp(); i < to; i += kLanes) {
      const u32 z = d.topics[i];
      if (old != nullptr) old[i] = z;
      atomicAdd(n + z, 1);
    }
    syncWarp();
    for (u32 k = laneInWarp(); k < d.kpad; k += kLanes) dnt[k] = weight(d, k, n[k]);
    syncWarp();
  }

  // Moves a token from topic old, whose DNT without it is given, to topic k, once all lanes have read the row.
  template <class D>
  __device__ void move(const D &d, u32 old, float without, u32 k) const {
    syncWarp();
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

  template <class D>
  __device__ Own(const D &d, const Document &doc, u32 topic, const float *row) : topic(topic) {
    without = doc.weight(d, topic, doc.n[topic] - 1);
    delta = doc.dnt[topic] * row[topic] - without * (row[topic] - d.own);
  }
  __device__ bool inLane() const { return topic % kLanes == laneInWarp(); }
};

// Lot is up to 32 tokens of a document, one in each lane.
struct Lot {
  u32 n, word, topic;
  float random;

  template <class D>
  __device__ Lot(const D &d, u32 from, u32 to) : n(minimum(kLanes, to - from)) {
    const u32 token = from + minimum(laneInWarp(), n - 1);
    word = d.words[token];
    topic = d.topics[token];
    random = d.random(token);
  }
  // Ends the lot: topic holds the tokens' new topics.
  template <class D>
  __device__ void store(const D &d, u32 from) const {
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
template <u32 kGroups, class D>
__device__ void drawDocument(const D &d, const Document &doc, u32 from, u32 to) {
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
template <class D>
__device__ void drawLarge(const D &d, const Document &doc, u32 from, u32 to, float *sums) {
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

// Either, by whether there is a kernel for so many topics: kGroups is 0 if not.
template <u32 kGroups, class D>
__device__ void drawTokens(const D &d, const Document &doc, u32 from, u32 to, float *sums) {
  if (kGroups > 0)
    drawDocument<kGroups == 0 ? 1 : kGroups>(d, doc, from, to);
  else
    drawLarge(d, doc, from, to, sums);
}
