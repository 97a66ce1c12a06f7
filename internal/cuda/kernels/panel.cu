// panel: the kernels of AGA-LDA (Moon et al. 2018, Algorithms 2 to 4). Not repeatable: word
// and topic counts change by atomic additions in whatever order they happen. Portable Go
// of the same sampler, in a defined order: fresh in internal/sampler.
//
// A mini-batch of documents is cut into column panels of words, each worked on by a block
// of threads that keeps the panel's rows n_w in shared memory. DNT = (n_dk + α_k)/(n_k +
// Vβ) is computed before the mini-batch and stays as it is. Where the paper gives each
// thread a token, here a warp has one and draws its topic by all 32 lanes, so that rows
// of DNT are read 128 bytes at a time; a lane's sums are computed anew, not kept, once the
// lane is chosen, as the paper does for all topics. The token's own count is taken out of
// n_dk too.
//
// Tokens are in panel order: by mini-batch, panel, document. kpad is K rounded up to a
// multiple of 32.
#include "draw32.h"

// Batch is everything that all panels of a mini-batch share.
struct Batch {
  const u32 *words, *docs, *places;  // N, panel order: word, document in its mini-batch, place in the corpus
  u32 *topics;                       // N, panel order
  u32 *nwk, *nk;                     // V × kpad, K
  const float *dnt;                  // documents of the mini-batch × kpad
  const float *inv;                  // kpad: 1/(n_k + Vβ) before the mini-batch
  u32 K, kpad;
  float beta;
  Key key;
  u32 iteration, purpose;

  __device__ float random(u32 token) const {
    return uniform(philox(key, places[token], iteration, purpose, 0), float());
  }
};

const u32 kMinusOne = 0u - 1u;

// Token is one token in the hands of a warp.
struct Token {
  const volatile u32 *row;  // n_w, kpad numbers that other warps change meanwhile
  const float *dnt;         // of the document
  u32 old;
  float without, beta;  // DNT of the old topic without the token

  __device__ float weight(u32 k) const { return (k == old ? without : readOnly(dnt + k)) * ((float)row[k] + beta); }

  // The new topic for the random number u.
  __device__ u32 draw(float u, u32 K, u32 kpad) const {
    const u32 lane = laneInWarp();
    float sum = 0;
#pragma unroll 4
    for (u32 k = lane; k < kpad; k += kLanes) sum += weight(k);
    const Choice choice(sum, u, K);
    const u32 last = (K - 1 - choice.lane) / kLanes;  // group of the lane's last topic
    float before = 0;                                 // sum of groups passed
    for (u32 base = 0; base < last; base += kLanes) {
      const u32 group = base + lane;
      float reach = group < last ? weight(choice.lane + group * kLanes) : 0;
#pragma unroll
      for (u32 s = 1; s < kLanes; s *= 2) {
        const float left = fromLane(reach, lane - s);
        if (lane >= s) reach += left;
      }
      const u32 passed = __builtin_popcount(lanesWhere(group < last && before + reach <= choice.rest));
      if (passed < minimum(kLanes, last - base)) return choice.lane + (base + passed) * kLanes;
      before += fromLane(reach, kLanes - 1);
    }
    return choice.lane + last * kLanes;
  }
};

// Draws tokens first … last-1, whose words' rows begin at rows, the first being that of
// word firstWord: Algorithm 2, lines 14 to 36.
__device__ void drawTokens(const Batch &b, u32 *rows, u32 firstWord, u32 first, u32 last) {
  const u32 lane = laneInWarp(), warp = threadInBlock() / kLanes, warps = threadsPerBlock() / kLanes;
  const u32 lot = minimum(kLanes, (last - first + warps - 1) / warps);  // tokens that a warp reads at once
  for (u32 at = first + warp * lot; at < last; at += warps * lot) {
    const u32 n = minimum(lot, last - at), mine = at + minimum(lane, n - 1);
    const u32 words = b.words[mine], docs = b.docs[mine];
    u32 topics = b.topics[mine];
    const float numbers = b.random(mine);
    for (u32 i = 0; i < n; i++) {
      const u32 old = fromLane(topics, i);
      u32 *row = rows + (fromLane(words, i) - firstWord) * (u64)b.kpad;
      const float *dnt = b.dnt + fromLane(docs, i) * (u64)b.kpad;
      if (lane == 0) atomicAdd(row + old, kMinusOne);
      syncWarp();
      const float without = readOnly(dnt + old) - readOnly(b.inv + old);  // below 0 by rounding if α is next to nothing
      const Token token{row, dnt, old, without > 0 ? without : 0, b.beta};
      const u32 k = token.draw(fromLane(numbers, i), b.K, b.kpad);
      if (lane == 0) {
        atomicAdd(row + k, 1);
        if (k != old) {
          atomicAdd(b.nk + old, kMinusOne);
          atomicAdd(b.nk + k, 1);
        }
      }
      if (lane == i) topics = k;
    }
    if (lane < n) b.topics[at + lane] = topics;
  }
}

// Algorithm 2. Each block of threads has a panel: four numbers, its first word, its words
// (0 if its only row stays in device memory, where other blocks may work on it too), its
// first token and the one after its last.
extern "C" __global__ void __launch_bounds__(512, 2)
    panel_sample(const u32 *panels, u32 firstPanel, const u32 *words, const u32 *docs, const u32 *places, u32 *topics,
                 u32 *nwk, u32 *nk, const float *dnt, const float *inv, u32 K, u32 kpad, u32 beta, u32 k0, u32 k1,
                 u32 iteration, u32 purpose) {
  const Batch b{words,    docs,      places, topics, nwk, nk, dnt, inv, K, kpad, __builtin_bit_cast(float, beta),
                {k0, k1}, iteration, purpose};
  const u32 *panel = panels + 4 * (u64)(firstPanel + blockInGrid());
  const u32 firstWord = panel[0], width = panel[1], first = panel[2], last = panel[3];
  u32 *rows = nwk + firstWord * (u64)kpad;
  if (width == 0) {
    drawTokens(b, rows, firstWord, first, last);
    return;
  }
  const u32 cells = width * kpad;
  for (u32 i = threadInBlock(); i < cells; i += threadsPerBlock()) dynamicShared[i] = rows[i];
  syncBlock();
  drawTokens(b, dynamicShared, firstWord, first, last);
  syncBlock();
  for (u32 i = threadInBlock(); i < cells; i += threadsPerBlock()) rows[i] = dynamicShared[i];
}

// inv_k = 1/(n_k + Vβ); vbeta has the bits of a double.
extern "C" __global__ void panel_inverse(const u32 *nk, float *inv, u32 K, u64 vbeta) {
  for (u32 k = threadInGrid(); k < K; k += threadsPerGrid())
    inv[k] = (float)(1 / ((double)nk[k] + __builtin_bit_cast(double, vbeta)));
}

// Algorithm 3: n_dk of the documents of tokens first … last-1, added to zeros.
extern "C" __global__ void panel_count(const u32 *docs, const u32 *topics, u32 first, u32 last, u32 *ndk, u32 kpad) {
  for (u64 i = first + (u64)threadInGrid(); i < last; i += threadsPerGrid())
    atomicAdd(ndk + docs[i] * (u64)kpad + topics[i], 1);
}

// Algorithm 4: DNT in the place of n_dk. cells = documents × kpad.
extern "C" __global__ void panel_scale(u32 *ndk, u64 cells, const float *alpha, const float *inv, u32 kpad) {
  for (u64 i = threadInGrid(); i < cells; i += threadsPerGrid()) {
    const u32 k = (u32)(i % kpad);
    ndk[i] = __builtin_bit_cast(u32, ((float)ndk[i] + readOnly(alpha + k)) * readOnly(inv + k));
  }
}
