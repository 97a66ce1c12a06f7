// The topics of new documents, the counts of words fixed (see batch.h). Portable Go and
// the definition: Fold in internal/sampler.
//
// A warp draws first topics for a document by its words alone, then sweeps over it as
// often as asked for, and adds up n_dk over the sweeps that count.
#include "batch.h"

// ByDocument gives a token's random number by a hash of its document's words and its
// place i in the document: word i mod 4 of block i div 4.
struct ByDocument {
  u32 from, hash;  // of the document: first token, hash
  Key key;
  u32 sweep, purpose;

  __device__ float operator()(u32 token) const {
    const u32 i = token - from;
    return unitAt(philox(key, i / 4, sweep, purpose, hash), i);
  }
};

// First topics: topic k with probability ∝ (n_wk + β) / (n_k + Vβ), by running sums in increasing
// k. Every lane has a token of its own.
__device__ void firstTopics(const Draw<ByDocument> &d, u32 from, u32 to) {
  for (u32 token = from + laneInWarp(); token < to; token += kLanes) {
    const float *row = d.row(d.words[token]);
    float sum = 0;
    for (u32 k = 0; k < d.K; k++) sum += readOnly(row + k) * readOnly(d.inv + k);
    const float target = d.random(token) * sum;
    u32 topic = 0;
    for (float reach = readOnly(row) * readOnly(d.inv); reach <= target && topic < d.K - 1;) {
      topic++;
      reach += readOnly(row + topic) * readOnly(d.inv + topic);
    }
    d.topics[token] = topic;
  }
  syncWarp();
}

// Sums are what comes out of a document: its topics with n_dk added up over sweeps.
struct Sums {
  u32 *pairs;   // topic and sum, those of a document together and in increasing order of topics
  u32 *used;    // how many pairs there are so far
  u32 *places;  // documents × 2: where a document's begin, and how many they are

  __device__ void store(u32 document, const u32 *totals, u32 K) const {
    const u32 lane = laneInWarp();
    u32 n = 0;
    for (u32 k = 0; k < K; k += kLanes) n += __builtin_popcount(lanesWhere(k + lane < K && totals[k + lane] > 0));
    u32 at = 0;
    if (lane == 0) {
      at = fetchAdd(used, n);
      places[2 * document] = at;
      places[2 * document + 1] = n;
    }
    at = fromLane(at, 0);
    for (u32 k = 0; k < K; k += kLanes) {
      const bool has = k + lane < K && totals[k + lane] > 0;
      const u32 having = lanesWhere(has);
      if (has) {
        const u64 place = at + __builtin_popcount(having & ((1u << lane) - 1));
        pairs[2 * place] = k + lane;
        pairs[2 * place + 1] = totals[k + lane];
      }
      at += __builtin_popcount(having);
    }
    syncWarp();
  }
};

// All documents; offsets (documents + 1) says where their tokens are. Each warp takes the
// next one from queue, which is zero before. A warp's rows, n_dk, DNT_dk and the sums of
// n_dk, lie in shared memory (3 kpad numbers) or, with running sums, in scratch (4 kpad).
template <u32 kGroups>
__device__ void foldAll(Draw<ByDocument> d, const u32 *offsets, const u32 *hashes, u32 documents, u32 *queue,
                        u32 *scratch, const Sums &sums, u32 sweeps, u32 skip) {
  const u32 kpad = d.kpad;
  u32 *memory = kGroups > 0 ? dynamicShared + threadInBlock() / kLanes * 3 * kpad
                            : scratch + threadInGrid() / kLanes * (u64)(4 * kpad);
  const Document doc{memory, (float *)memory + kpad};
  u32 *totals = memory + 2 * kpad;
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = fetchAdd(queue, 1);
    at = fromLane(at, 0);
    if (at >= documents) return;
    const u32 from = offsets[at], to = offsets[at + 1];
    d.random.from = from;
    d.random.hash = hashes[at];
    d.random.sweep = 0;
    firstTopics(d, from, to);
    doc.count(d, from, to, nullptr);
    for (u32 k = laneInWarp(); k < kpad; k += kLanes) totals[k] = 0;
    for (u32 sweep = 0; sweep < sweeps; sweep++) {
      d.random.sweep = sweep + 1;
      drawTokens<kGroups>(d, doc, from, to, (float *)memory + 3 * kpad);
      syncWarp();
      if (sweep >= skip)
        for (u32 k = laneInWarp(); k < kpad; k += kLanes) totals[k] += doc.n[k];
      syncWarp();
    }
    sums.store(at, totals, d.K);
  }
}

#define FOLD(NAME, GROUPS, BLOCKS)                                                                                   \
  extern "C" __global__ void __launch_bounds__(128, BLOCKS)                                                          \
      fold_##NAME(const u32 *words, u16 *topics, const float *weights, const float *alpha, const float *inv,         \
                  const u32 *offsets, const u32 *hashes, u32 documents, u32 *queue, u32 *scratch, u32 *pairs,        \
                  u32 *used, u32 *places, u32 K, u32 kpad, u32 k0, u32 k1, u32 sweeps, u32 skip, u32 purpose) {      \
    foldAll<GROUPS>({words, topics, weights, alpha, inv, K, kpad, 0, {0, 0, {k0, k1}, 0, purpose}}, offsets, hashes, \
                    documents, queue, scratch, {pairs, used, places}, sweeps, skip);                                 \
  }

FOLD(32, 1, 12)
FOLD(64, 2, 12)
FOLD(128, 4, 12)
FOLD(192, 6, 8)
FOLD(256, 8, 8)
FOLD(384, 12, 8)
FOLD(512, 16, 6)
FOLD(768, 24, 4)
FOLD(1024, 32, 4)
FOLD(any, 0, 8)
