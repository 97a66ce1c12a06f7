// grid: parallel collapsed Gibbs sampling on the P × P diagonal schedule (Yan, Xu and Qi
// 2009, Algorithm 1). Portable Go and the definition: gridSampler and draw32 in
// internal/sampler; every float is rounded as there.
//
// A launch is an epoch of P blocks of threads, block m on tile (m, m ⊕ l). Tokens of a
// tile are drawn one after the other, each by the 32 lanes of the block's only warp: the
// canonical draw. No two tiles of an epoch share a document or a word, so n_dk and n_wk
// are fresh without a copy. A tile keeps its own n_k, and grid_merge brings the changes
// of all together.
//
// Lane l owns the topics k ≡ l (mod 32): it alone reads and changes what the tile keeps
// of them. kpad is K rounded up to a multiple of 32, and further where a kernel has a
// fixed number of groups of 32; topics beyond K have no weight, their α being 0 and their
// inverse too.
#include "draw32.h"

// Epoch is everything that all tiles share.
struct Epoch {
  const u32 *firstRun;       // P²+1: tile (m, n) has the runs from firstRun[mP + n] on
  const u32 *docs, *begins;  // of each run: its document, and its first item (one more at the end)
  const u32 *items;          // N: tokens by tile, then by document
  const u32 *offsets;        // D+1
  const u32 *words;          // N, corpus order, as z
  u32 *z;
  u32 *nwk;            // V × kpad
  const u32 *nk;       // K: before the epoch
  u32 *changes;        // K: of n_k
  const float *alpha;  // kpad
  u32 K, kpad;
  float beta, vbeta;
  Key key;
  u32 iteration, purpose;

  // The token's random number: word i mod 4 of block i div 4.
  __device__ float random(u32 i) const {
    const Block b = philox(key, i / 4, iteration, purpose, 0);
    const u32 x0 = b.x[0], x1 = b.x[1], x2 = b.x[2], x3 = b.x[3];
    const u32 low = i % 2 ? x1 : x0, high = i % 2 ? x3 : x2;
    return (float)((i % 4 < 2 ? low : high) >> 8) * 0x1p-24f;
  }
};

// Tile is what a tile keeps for itself, kpad numbers each.
struct Tile {
  u32 *n, *nk;       // n_dk of the current document, n_k
  float *dnt, *inv;  // DNT_dk = (n_dk + α_k)·inv_k, inv_k = 1/(n_k + Vβ)
  float *sums;       // of any K: running sums of the lanes

  __device__ void begin(const Epoch &e) const {
    for (u32 k = laneInWarp(); k < e.kpad; k += kLanes) {
      nk[k] = k < e.K ? e.nk[k] : 0;
      inv[k] = k < e.K ? 1.0f / ((float)nk[k] + e.vbeta) : 0.0f;
    }
  }
  __device__ void end(const Epoch &e) const {
    for (u32 k = laneInWarp(); k < e.K; k += kLanes)
      if (nk[k] != e.nk[k]) atomicAdd(e.changes + k, nk[k] - e.nk[k]);
  }
  // Counts a document anew.
  __device__ void count(const Epoch &e, u32 doc) const {
    for (u32 k = laneInWarp(); k < e.kpad; k += kLanes) n[k] = 0;
    syncWarp();
    const u32 from = e.offsets[doc], to = e.offsets[doc + 1];
    for (u32 i = from + laneInWarp(); i < to; i += kLanes) atomicAdd(n + e.z[i], 1);
    syncWarp();
    for (u32 k = laneInWarp(); k < e.kpad; k += kLanes) dnt[k] = ((float)n[k] + readOnly(e.alpha + k)) * inv[k];
  }
  // Adds a token to topic k, or takes it out with change = -1; in the lane of k.
  __device__ void move(const Epoch &e, u32 k, u32 change) const {
    if (k % kLanes != laneInWarp()) return;
    n[k] += change;
    nk[k] += change;
    inv[k] = 1.0f / ((float)nk[k] + e.vbeta);
    dnt[k] = ((float)n[k] + readOnly(e.alpha + k)) * inv[k];
  }
};

const u32 kMinusOne = 0u - 1u;

// Lot is up to 32 tokens of a run, one in each lane.
struct Lot {
  u32 n, token, word, topic;
  float random;

  __device__ Lot(const Epoch &e, u32 from, u32 to) : n(minimum(kLanes, to - from)) {
    token = e.items[from + minimum(laneInWarp(), n - 1)];
    word = e.words[token];
    topic = e.z[token];
    random = e.random(token);
  }
  // Gives token i the topic k, and its word's row in memory too.
  __device__ void move(const Epoch &e, u32 i, u32 old, u32 k) {
    if (laneInWarp() != i) return;
    topic = k;
    if (k == old) return;
    e.z[token] = k;
    u32 *row = e.nwk + word * (u64)e.kpad;
    atomicAdd(row + old, kMinusOne);
    atomicAdd(row + k, 1);
  }
};

// Changes n_wk of topic k in the registers that hold the row.
template <u32 kGroups>
__device__ void moveInRow(u32 (&row)[kGroups], u32 k, u32 change) {
#pragma unroll
  for (u32 g = 0; g < kGroups; g++)
    if (k == g * kLanes + laneInWarp()) row[g] += change;
}

// Draws the tokens of a run with kpad = 32 kGroups. A word's row stays in registers while
// its tokens follow each other, and the next word's is on its way while a lane is chosen.
template <u32 kGroups>
__device__ void drawRun(const Epoch &e, const Tile &t, u32 from, u32 to) {
  const u32 lane = laneInWarp();
  u32 row[kGroups];
  float sums[kGroups];
  const auto fetch = [&](u32 word) {
    const u32 *next = e.nwk + word * (u64)e.kpad + lane;
#pragma unroll
    for (u32 g = 0; g < kGroups; g++) row[g] = next[g * kLanes];
  };
  for (u32 at = from; at < to; at += kLanes) {
    Lot lot(e, at, to);
    syncWarp();  // what earlier tokens did to rows is visible
    fetch(fromLane(lot.word, 0));
    for (u32 i = 0; i < lot.n; i++) {
      const u32 word = fromLane(lot.word, i), old = fromLane(lot.topic, i);
      t.move(e, old, kMinusOne);
      moveInRow(row, old, kMinusOne);
      float sum = 0;
#pragma unroll
      for (u32 g = 0; g < kGroups; g++) {
        sum += t.dnt[g * kLanes + lane] * ((float)row[g] + e.beta);
        sums[g] = sum;
      }
      const u32 following = fromLane(lot.word, i + 1);
      const bool same = following == word;
      if (!same && i + 1 < lot.n) fetch(following);
      const Choice choice(sum, fromLane(lot.random, i), e.K);
      u32 passed = 0;  // sums grow, so that those beyond the last in use change nothing once the number is cut
#pragma unroll
      for (u32 g = 0; g < kGroups; g++) passed += sums[g] <= choice.rest;
      passed = minimum(passed, (e.K - 1 - minimum(lane, e.K - 1)) / kLanes);
      const u32 k = choice.lane + kLanes * fromLane(passed, choice.lane);
      t.move(e, k, 1);
      if (same) moveInRow(row, k, 1);
      lot.move(e, i, old, k);
    }
  }
}

// The same for any K, with rows and running sums in memory.
__device__ void drawLargeRun(const Epoch &e, const Tile &t, u32 from, u32 to) {
  const u32 lane = laneInWarp();
  for (u32 at = from; at < to; at += kLanes) {
    Lot lot(e, at, to);
    for (u32 i = 0; i < lot.n; i++) {
      const u32 old = fromLane(lot.topic, i);
      const u32 *row = e.nwk + fromLane(lot.word, i) * (u64)e.kpad;
      t.move(e, old, kMinusOne);
      syncWarp();
      float sum = 0;
#pragma unroll 4
      for (u32 k = lane; k < e.kpad; k += kLanes) {
        const u32 count = row[k] - (k == old);
        sum += t.dnt[k] * ((float)count + e.beta);
        t.sums[k] = sum;
      }
      const Choice choice(sum, fromLane(lot.random, i), e.K);
      syncWarp();
      u32 passed = 0;  // of every 32nd group of the chosen lane
      for (u32 k = choice.lane + lane * kLanes; k + kLanes < e.K; k += kLanes * kLanes)
        passed += t.sums[k] <= choice.rest;
#pragma unroll
      for (u32 s = 1; s < kLanes; s *= 2) passed += fromLane(passed, lane ^ s);
      const u32 k = choice.lane + kLanes * passed;
      t.move(e, k, 1);
      lot.move(e, i, old, k);
      syncWarp();
    }
  }
}

// Resamples tile (m, m ⊕ epoch), m being the block's number. What a tile keeps lies in
// shared memory (5 kpad numbers), or in scratch (as many for each tile) if shared is 0.
template <u32 kGroups>
__device__ void drawTile(const Epoch &e, u32 P, u32 epoch, u32 *scratch, u32 shared) {
  const u32 m = blockInGrid(), tile = m * P + (m + epoch) % P;
  u32 *memory = shared ? dynamicShared : scratch + m * (u64)(5 * e.kpad);
  float *floats = (float *)memory + 2 * e.kpad;
  const Tile t{memory, memory + e.kpad, floats, floats + e.kpad, floats + 2 * e.kpad};
  t.begin(e);
  for (u32 run = e.firstRun[tile]; run < e.firstRun[tile + 1]; run++) {
    t.count(e, e.docs[run]);
    if (kGroups > 0)
      drawRun<kGroups == 0 ? 1 : kGroups>(e, t, e.begins[run], e.begins[run + 1]);
    else
      drawLargeRun(e, t, e.begins[run], e.begins[run + 1]);
    syncWarp();
  }
  t.end(e);
}

#define TILES(NAME, GROUPS)                                                                                            \
  extern "C" __global__ void __launch_bounds__(32, 1) grid_tiles_##NAME(                                               \
      const u32 *firstRun, const u32 *docs, const u32 *begins, const u32 *items, const u32 *offsets, const u32 *words, \
      u32 *z, u32 *nwk, const u32 *nk, u32 *changes, const float *alpha, u32 *scratch, u32 shared, u32 K, u32 kpad,    \
      u32 P, u32 epoch, u32 beta, u32 vbeta, u32 k0, u32 k1, u32 iteration, u32 purpose) {                             \
    drawTile<GROUPS>(Epoch{firstRun,                                                                                   \
                           docs,                                                                                       \
                           begins,                                                                                     \
                           items,                                                                                      \
                           offsets,                                                                                    \
                           words,                                                                                      \
                           z,                                                                                          \
                           nwk,                                                                                        \
                           nk,                                                                                         \
                           changes,                                                                                    \
                           alpha,                                                                                      \
                           K,                                                                                          \
                           kpad,                                                                                       \
                           __builtin_bit_cast(float, beta),                                                            \
                           __builtin_bit_cast(float, vbeta),                                                           \
                           {k0, k1},                                                                                   \
                           iteration,                                                                                  \
                           purpose},                                                                                   \
                     P, epoch, scratch, shared);                                                                       \
  }

TILES(128, 4)
TILES(256, 8)
TILES(512, 16)
TILES(1024, 32)
TILES(any, 0)

// Ends an epoch: adds the changes of all tiles to n_k, and forgets them.
extern "C" __global__ void grid_merge(u32 *nk, u32 *changes, u32 K) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid()) {
    nk[k] += changes[k];
    changes[k] = 0;
  }
}
