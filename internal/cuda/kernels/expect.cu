// Expected topics of new documents, the counts of words fixed. Portable Go and the definition: listed.go and mean.go of
// internal/sampler/fold.
//
// A warp takes a document. All lanes work on one word after the other, 32 of its topics at a time. Sums are those of
// sixteen lanes, as in portable Go: lanes l and l + 16 hold the same sum, to which both add what either has.
#include "device.h"

const u32 kKept = 4;       // topics of a word that a lane keeps in registers
const double kUnit = 256;  // parts of a token

// Model is what all documents share.
struct Model {
  const u32 *begins;     // words + 1: where the topics of a word begin
  const u16 *topics;     // in which a word occurs
  const float *weights;  // s_wk of each of them
  const float *alpha;    // slots
  const float *b;        // slots
  u32 K, slots;
};

// Lanes is a sum by sixteen lanes, each in increasing order of its terms.
struct Lanes {
  float sum = 0;

  // add adds 32 terms, one a lane.
  __device__ void add(float term) {
    const float other = fromLaneXor(term, 16);
    const bool low = laneInWarp() < 16;
    sum = (sum + (low ? term : other)) + (low ? other : term);
  }

  // halved returns the sum of all lanes.
  __device__ float halved() const {
    float all = sum;
    for (u32 n = 8; n > 0; n /= 2) all += fromLaneXor(all, n);
    return all;
  }
};

__device__ float positive(float x) { return x > 0 ? x : 0; }
__device__ float absolute(float x) { return x < 0 ? -x : x; }

// Expected is a document.
struct Expected {
  const Model &m;
  Four *words;   // distinct words: where topics begin, how many they are, c_w, Σ_k γ_wk
  u32 distinct;  // number of words
  float *gamma;  // of all topics of all words
  float *held;   // slots: n_dk + α_k
  float *rest;   // slots: Σ_w c_w r_wk
  float keep, own, mean, scale, moved;

  // list finds the distinct words of the tokens, which are in increasing order, and takes all of them from their
  // topics.
  __device__ void list(const u32 *tokens, u32 n) {
    const u32 lane = laneInWarp();
    distinct = 0;
    u32 entries = 0;
    for (u32 first = 0; first < n; first += kLanes) {
      const u32 i = first + lane;
      const u32 word = i < n ? readOnly(tokens + i) : 0;
      const bool begins = i < n && (i == 0 || readOnly(tokens + i - 1) != word);
      const u32 having = lanesWhere(begins);
      if (begins) {
        const u32 at = readOnly(m.begins + word);
        words[distinct + __builtin_popcount(having & ((1u << lane) - 1))] = {at, readOnly(m.begins + word + 1) - at, i,
                                                                             0};
      }
      distinct += __builtin_popcount(having);
    }
    syncWarp();
    for (u32 first = 0; first < distinct; first += kLanes) {
      const u32 i = first + lane;
      u32 size = 0, count = 0;
      if (i < distinct) {
        size = words[i].x[1];
        count = (i + 1 < distinct ? words[i + 1].x[2] : n) - words[i].x[2];
      }
      syncWarp();
      if (i < distinct) words[i].x[2] = __builtin_bit_cast(u32, (float)minimum(count, 1u << 24));
      for (u32 bits = 16; bits > 0; bits /= 2) size += fromLane(size, lane ^ bits);
      entries += size;
      syncWarp();
    }
    for (u32 i = lane; i < entries; i += kLanes) gamma[i] = 0;
    for (u32 k = lane; k < m.slots; k += kLanes) {
      held[k] = readOnly(m.alpha + k);
      rest[k] = 0;
    }
    syncWarp();
  }

  // round computes γ_wk of all words anew, one word after the other: wordsGo.
  __device__ void round() {
    Lanes moving;
    float *g = gamma;
    scale = 0;
    Four next = words[0];
    for (u32 j = 0; j < distinct; j++) {
      const Four word = next;
      if (j + 1 < distinct) next = words[j + 1];
      const u32 size = word.x[1];
      if (size <= kKept * kLanes)
        few(j, word, g, moving);
      else
        many(j, word, g, moving);
      g += size;
      syncWarp();
    }
    moved = moving.halved();
  }

  // Tile is some topics of a word, of which each lane has kKept. All of them are read before any is used, so that the
  // memory is waited for once.
  struct Tile {
    u32 topic[kKept];
    float was[kKept], old[kKept], x[kKept];
  };

  // read reads the topics first, first + 1, … of a word, and weighs them. Those beyond the last have no weight.
  __device__ void read(Tile &tile, const Four &word, const float *g, u32 first) const {
    const u32 size = word.x[1], lane = laneInWarp();
    float weight[kKept];
#pragma unroll
    for (u32 c = 0; c < kKept; c++) {
      const u32 i = first + c * kLanes + lane;
      const bool has = i < size;
      tile.topic[c] = has ? readOnly(m.topics + word.x[0] + i) : 0;
      weight[c] = has ? readOnly(m.weights + word.x[0] + i) : 0;
      tile.old[c] = has ? g[i] : 0;
    }
#pragma unroll
    for (u32 c = 0; c < kKept; c++) {
      tile.was[c] = first + c * kLanes + lane < size ? held[tile.topic[c]] : 0;
      tile.x[c] = positive(tile.was[c] - tile.old[c]) * weight[c];
    }
  }

  // add adds the weights of a tile.
  __device__ void add(const Tile &tile, u32 size, u32 first, Lanes &sums) const {
#pragma unroll
    for (u32 c = 0; c < kKept; c++)
      if (first + c * kLanes < size) sums.add(tile.x[c]);
  }

  // move gives a tile its new γ, which are its weights times part.
  __device__ void move(const Tile &tile, const Four &word, float *g, u32 first, float part, Lanes &moving) {
    const u32 size = word.x[1], lane = laneInWarp();
    const float count = __builtin_bit_cast(float, word.x[2]);
#pragma unroll
    for (u32 c = 0; c < kKept; c++) {
      if (first + c * kLanes >= size) continue;
      const u32 i = first + c * kLanes + lane;
      float change = 0;
      if (i < size) {
        const float now = tile.x[c] * part;
        change = (now - tile.old[c]) * count;
        g[i] = now;
        held[tile.topic[c]] = tile.was[c] + change;
      }
      moving.add(absolute(change));
    }
  }

  // few is a word of one tile, which stays in registers.
  __device__ void few(u32 j, const Four &word, float *g, Lanes &moving) {
    Tile tile;
    Lanes sums;
    read(tile, word, g, 0);
    add(tile, word.x[1], 0, sums);
    move(tile, word, g, 0, normalise(j, word, sums.halved()), moving);
  }

  // many is a word of several tiles, which are read twice.
  __device__ void many(u32 j, const Four &word, float *g, Lanes &moving) {
    const u32 size = word.x[1];
    Tile tile;
    Lanes sums;
    for (u32 first = 0; first < size; first += kKept * kLanes) {
      read(tile, word, g, first);
      add(tile, size, first, sums);
    }
    const float part = normalise(j, word, sums.halved());
    for (u32 first = 0; first < size; first += kKept * kLanes) {
      read(tile, word, g, first);
      move(tile, word, g, first, part, moving);
    }
  }

  // normalise returns 1/z_w, and adds the word with the given sum of weights to the sums over words.
  __device__ float normalise(u32 j, const Four &word, float sum) {
    const float count = __builtin_bit_cast(float, word.x[2]), before = __builtin_bit_cast(float, word.x[3]);
    const float part = 1 / (own * mean + sum);
    scale += count * part;
    sum *= part;
    own += (sum - before) * count * keep;
    if (laneInWarp() == 0) words[j].x[3] = __builtin_bit_cast(u32, sum);
    return part;
  }

  __device__ float ownAt(float has, float alpha) const { return positive(has - alpha) * keep + alpha; }

  // spread computes what all words have in any topic, then own and mean for the next round: spreadGo.
  __device__ void spread() {
    Lanes moving, owns, weights;
    for (u32 k = laneInWarp(); k < m.slots; k += kLanes) {
      const float alpha = readOnly(m.alpha + k), b = readOnly(m.b + k), has = held[k];
      const float now = ownAt(has, alpha) * b * scale, change = now - rest[k];
      rest[k] = now;
      held[k] = has + change;
      const float after = ownAt(has + change, alpha);
      moving.add(absolute(change));
      owns.add(after);
      weights.add(after * b);
    }
    own = owns.halved();
    mean = weights.halved() / own;
    moved += moving.halved();
    syncWarp();
  }
};

// Parts is what comes out of documents: topics with parts of tokens.
struct Parts {
  const double *alpha;  // K
  double sum;           // of alpha
  u32 top;              // topics of a document that are wanted, those with the largest shares first; 0: all
  u32 *entries;  // pairs of topic and number of parts, those of a document together and in increasing order of topics
  u32 *used;     // how many pairs there are so far
  u32 *places;   // documents × 2: where the pairs of a document begin, and how many they are

  // running adds the terms of the lanes to sum, one after the other, and returns the sum up to the own lane.
  static __device__ double running(double &sum, float term) {
    double mine = 0;
    for (u32 lane = 0; lane < kLanes; lane++) {
      sum += (double)fromLane(term, lane);
      if (lane == laneInWarp()) mine = sum;
    }
    return mine;
  }

  static __device__ float enough(const Expected &d, u32 k, float least) {
    if (k >= d.m.K) return 0;
    const float n = d.held[k] - readOnly(d.m.alpha + k);
    return n >= least ? n : 0;
  }

  __device__ void put(u64 place, u32 topic, u32 parts) const {
    entries[2 * place] = topic;
    entries[2 * place + 1] = parts;
  }

  // takeLargest moves the topic with the largest share, of equal ones the first, from the parts in rest to a place.
  __device__ void takeLargest(const Expected &d, u32 place, double all) const {
    double largest = -1;
    u32 topic = 0;
    for (u32 k = laneInWarp(); k < d.m.K; k += kLanes) {
      const u32 parts = __builtin_bit_cast(u32, d.rest[k]);
      const double share = ((double)parts / kUnit + alpha[k]) / all;
      if (parts > 0 && share > largest) {
        largest = share;
        topic = k;
      }
    }
    for (u32 bits = 16; bits > 0; bits /= 2) {
      const double other = fromLaneXor(largest, bits);
      const u32 its = fromLane(topic, laneInWarp() ^ bits);
      if (other > largest || (other == largest && its < topic)) {
        largest = other;
        topic = its;
      }
    }
    if (laneInWarp() == 0) {
      put(place, topic, __builtin_bit_cast(u32, d.rest[topic]));
      d.rest[topic] = 0;
    }
    syncWarp();
  }

  // store is appendParts, and largest if top is not 0.
  __device__ void store(u32 document, const Expected &d, u32 tokens) const {
    const u32 lane = laneInWarp(), K = d.m.K;
    const float share = 0.0625f * (float)tokens / (float)K, least = share < 0.03125f ? share : 0.03125f;
    double all = 0;
    u32 most = 0, at = 0, n = 0;
    for (u32 k = lane; k < d.m.slots; k += kLanes) {
      const float term = enough(d, k, least);
      running(all, term);
      most += __builtin_popcount(lanesWhere(term > 0));
    }
    if (tokens < 1u << 24) most = minimum(most, tokens * (u32)kUnit);
    if (top > 0) most = minimum(most, top);
    if (lane == 0) at = fetchAdd(used, most);
    at = fromLane(at, 0);
    double sum = 0, last = 0;
    for (u32 k = lane; k < d.m.slots; k += kLanes) {
      const double exact = running(sum, enough(d, k, least)) / all * (double)tokens * kUnit;
      double now = (double)(u64)exact;
      if (exact - now >= 0.5) now += 1;
      double before = fromLane(now, (lane + kLanes - 1) % kLanes);
      if (lane == 0) before = last;
      last = fromLane(now, kLanes - 1);
      const bool has = now > before;
      const u32 having = lanesWhere(has), parts = now - before < 4294967295.0 ? (u32)(now - before) : 4294967295u;
      if (has && top == 0) put(at + n + __builtin_popcount(having & ((1u << lane) - 1)), k, parts);
      if (top > 0) d.rest[k] = __builtin_bit_cast(float, has ? parts : 0);
      n += __builtin_popcount(having);
    }
    if (top > 0) {
      syncWarp();
      n = minimum(n, top);
      for (u32 i = 0; i < n; i++) takeLargest(d, at + i, (double)tokens + sum);
    }
    if (lane == 0) {
      places[2 * document] = at;
      places[2 * document + 1] = n;
    }
    syncWarp();
  }
};

// All documents; offsets (documents + 1) says where their tokens are. Each warp takes the next one from queue, which is
// zero before. A warp has most numbers of gamma, and 2 slots numbers of shared memory or of scratch.
template <bool kShared>
__device__ void expectAll(const Model &m, const u32 *tokens, const u32 *offsets, u32 documents, u32 *queue, Four *words,
                          float *gamma, u64 most, float *scratch, const Parts &parts) {
  const u32 warp = threadInGrid() / kLanes;
  float *memory =
      kShared ? (float *)dynamicShared + threadInBlock() / kLanes * 2 * m.slots : scratch + warp * (u64)(2 * m.slots);
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = fetchAdd(queue, 1);
    at = fromLane(at, 0);
    if (at >= documents) return;
    const u32 from = offsets[at], n = offsets[at + 1] - from;
    if (n == 0) {
      if (laneInWarp() == 0) parts.places[2 * at] = parts.places[2 * at + 1] = 0;
      continue;
    }
    Expected d{m, words + from, 0, gamma + warp * most, memory, memory + m.slots, 1 - 1 / (float)n, 0, 0, 0, 0};
    d.list(tokens + from, n);
    d.spread();
    const u32 rounds = minimum(100, 2 + n / 8);
    for (u32 i = 0; i < rounds; i++) {
      d.round();
      d.spread();
      if (d.moved <= 0.01f * (float)n) break;
    }
    parts.store(at, d, n);
  }
}

#define EXPECT(NAME, SHARED)                                                                                   \
  extern "C" __global__ void __launch_bounds__(128, 7) expect_##NAME(                                          \
      const u32 *begins, const u16 *topics, const float *weights, const float *alpha, const float *b, u32 K,   \
      u32 slots, const u32 *tokens, const u32 *offsets, u32 documents, u32 *queue, Four *words, float *gamma,  \
      u64 most, float *scratch, const double *exact, u64 sum, u32 top, u32 *entries, u32 *used, u32 *places) { \
    const Model m{begins, topics, weights, alpha, b, K, slots};                                                \
    expectAll<SHARED>(m, tokens, offsets, documents, queue, words, gamma, most, scratch,                       \
                      {exact, __builtin_bit_cast(double, sum), top, entries, used, places});                   \
  }

EXPECT(shared, true)
EXPECT(scratch, false)
