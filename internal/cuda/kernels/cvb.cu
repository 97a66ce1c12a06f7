// cvb, zero-order: an epoch of updates, a block of threads for each tile. Portable Go and the definition: updateGo and
// State.Sweep in internal/sampler/cvb; every float is rounded as there.
//
// Pairs of a tile follow one another, but a pair waits only for the last one before it with its document, and for the
// last one with its word. So pairs have levels (levels.go): those of one share neither, and are updated at once; a
// barrier parts levels. A half-warp updates a pair, its lanes being those of the definition. With many topics it is a
// whole warp, whose first half has the lower topics: every lane's sum goes on in the second half where the first has
// left it.
//
// n_k is that of the epoch's beginning, so its changes are kept in registers, and added to the next epoch's at the end.
// Of the three n_k in totals one is read, one is added to, and one is cleared for the next launch.
#include "cvb.h"

// Epoch is everything that all tiles share.
struct Epoch {
  const Step *steps;   // by tile and level
  const u32 *begins;   // the first step of each level, and the end of the last
  const u32 *levels;   // P²+1: tile (m, n) has the levels from levels[mP + n] on
  u32 *gamma;          // pairs × pad bytes
  u32 *docs, *words;   // rows × pad: n_dk, n_wk
  const float *alpha;  // K
  u64 *totals;         // 3 × pad: n_k
  u32 turn;            // which of the three is the present one
  u32 epoch, P, K, pad;
  float beta;
  double vbeta;
};

const u32 kMost = 259000;  // tokens whose moves certainly fit 32 bits

// Floats are four numbers that are read together.
struct alignas(16) Floats {
  float x[4];
};

// Shared is what a tile has in shared memory, room numbers each, as rows are laid out: as many topics as the kernel
// takes.
struct Shared {
  float *alpha, *inv;  // 0 beyond K
  u32 *low, *high;     // changes of n_k: 16 bits of every sum, and what is above them
  u32 room;

  __device__ Shared(u32 topics) : room(topics) {
    alpha = (float *)dynamicShared;
    inv = alpha + room;
    low = (u32 *)(inv + room);
    high = low + room;
  }
  __device__ void begin(const Epoch &e) const {
    const u64 *now = e.totals + e.turn * e.pad;
    u64 *later = e.totals + (e.turn + 2) % 3 * e.pad;
    for (u32 i = threadInBlock(); i < room; i += threadsPerBlock()) {
      const u32 k = topicAt(i);
      alpha[i] = k < e.K ? readOnly(e.alpha + k) : 0.0f;
      inv[i] = k < e.K ? (float)(8032.0 / ((double)(long long)now[i] + e.vbeta)) : 0.0f;
      low[i] = high[i] = 0;
      if (blockInGrid() == 0 && i < e.pad) later[i] = 0;
    }
    syncBlock();
  }
  __device__ void add(u32 place, u32 change) const {
    atomicAdd(low + place, change & 0xffff);
    atomicAdd(high + place, (u32)((int)change >> 16));
  }
  __device__ void end(const Epoch &e) const {
    syncBlock();
    const u64 *now = e.totals + e.turn * e.pad;
    u64 *next = e.totals + (e.turn + 1) % 3 * e.pad;
    for (u32 i = threadInBlock(); i < e.pad; i += threadsPerBlock()) {
      u64 change = (u64)(long long)(int)high[i] * 65536 + low[i];
      if (blockInGrid() == 0) change += now[i];
      if (change != 0) atomicAdd(next + i, change);
    }
  }
};

// Team is the lanes that update a pair: kHalves half-warps, with kChunks chunks each. Chunks that a row does not have,
// which can only be the last ones, are as if they were of topics beyond K, which have no weight.
template <u32 kChunks, u32 kHalves>
struct Team {
  static const u32 kPairs = 2 / kHalves;  // that a warp is at work on

  const Epoch &e;
  const Shared &shared;
  u32 half;    // of the warp
  u32 offset;  // of the first place of a row that is this lane's
  u32 chunks;  // from there on
  u32 moved;   // tokens since changes were handed over
  u32 change[4 * kChunks];

  __device__ Team(const Epoch &epoch, const Shared &tile) : e(epoch), shared(tile) {
    const u32 all = e.pad / kChunk, lower = kHalves == 1 ? all : kChunks;  // rows are longer than that: see TILES
    half = laneInWarp() / kWidth;
    const bool upper = kHalves == 2 && half == 1;
    offset = (upper ? lower * kChunk : 0) + laneInWarp() % kWidth * 4;
    chunks = upper ? all - lower : lower;
    moved = 0;
#pragma unroll
    for (u32 i = 0; i < 4 * kChunks; i++) change[i] = 0;
  }

  // Whether rows have chunk c of this lane's. A half-warp alone has a kernel of its own for every number of chunks.
  __device__ bool has(u32 c) const { return kHalves == 1 || c < chunks; }

  // Codes are the bytes of a pair that are this lane's.
  struct Codes {
    u32 x[kChunks];
  };
  __device__ u32 *bytesOf(const Step &s) const { return e.gamma + (s.pair * (u64)e.pad + offset) / 4; }
  __device__ Codes codesOf(const Step &s) const {
    Codes codes;
#pragma unroll
    for (u32 c = 0; c < kChunks; c++) codes.x[c] = s.count > 0 && has(c) ? bytesOf(s)[c * (kChunk / 4)] : kFourNone;
    return codes;
  }

  // The step at a place, one without tokens if that is not before end.
  __device__ Step stepAt(u32 i, u32 end) const { return i < end ? e.steps[i] : Step{0, 0, 0, 0}; }

  static __device__ Four four(const u32 *row, bool there) { return there ? *(const Four *)row : Four{{0, 0, 0, 0}}; }

  // Updates a pair. All lanes of the warp must call together; steps without tokens change nothing.
  __device__ void update(const Step &s, const Codes &codes) {
    u32 *doc = e.docs + s.doc * (u64)e.pad + offset, *word = e.words + s.word * (u64)e.pad + offset;
    const bool there = s.count > 0;
    Four inDoc[kChunks], inWord[kChunks];
    float x[4 * kChunks];
#pragma unroll
    for (u32 c = 0; c < kChunks; c++) {
      inDoc[c] = four(doc + c * kChunk, there && has(c));
      inWord[c] = four(word + c * kChunk, there && has(c));
    }
#pragma unroll
    for (u32 c = 0; c < kChunks; c++) {
      const Floats alpha = *(const Floats *)(shared.alpha + offset + c * kChunk);
      const Floats inv = *(const Floats *)(shared.inv + offset + c * kChunk);
#pragma unroll
      for (u32 j = 0; j < 4; j++) {
        const float old = decode(codes.x[c], j);
        const float a = ((float)(int)inDoc[c].x[j] - old) + alpha.x[j];
        const float b = ((float)(int)inWord[c].x[j] - old) + e.beta;
        x[4 * c + j] = (a * b) * inv.x[j];
      }
    }
    const float scale = 8032.0f / sumOf(x);
    if (!there) return;
    if (moved + s.count > kMost) handOver();
    moved += s.count;
#pragma unroll
    for (u32 c = 0; c < kChunks; c++) {
      u32 next = 0;
#pragma unroll
      for (u32 j = 0; j < 4; j++) {
        const Encoded now(x[4 * c + j] * scale);
        const u32 moves = s.count * (u32)(int)(now.t - decode(codes.x[c], j));
        next |= now.code << 8 * j;
        inDoc[c].x[j] += moves;
        inWord[c].x[j] += moves;
        change[4 * c + j] += moves;
      }
      if (!has(c)) continue;
      bytesOf(s)[c * (kChunk / 4)] = next;
      *(Four *)(doc + c * kChunk) = inDoc[c];
      *(Four *)(word + c * kChunk) = inWord[c];
    }
  }

  // The sum over the pair's lanes, in the order of weigh in update.go.
  __device__ float sumOf(const float *x) const {
    float sum = added(x, 0);
    if (kHalves == 2) {
      sum = added(x, fromLaneXor(sum, kWidth));
      const float upper = fromLaneXor(sum, kWidth);
      sum = half == 1 ? sum : upper;
    }
#pragma unroll
    for (u32 n = kWidth / 2; n > 0; n /= 2) sum += fromLaneXor(sum, n);
    return sum;
  }
  __device__ float added(const float *x, float sum) const {
#pragma unroll
    for (u32 i = 0; i < 4 * kChunks; i++) sum += x[i];
    return sum;
  }

  // Adds the changes of n_k to the tile's.
  __device__ void handOver() {
#pragma unroll
    for (u32 i = 0; i < 4 * kChunks; i++) {
      if (change[i] != 0) shared.add(offset + i / 4 * kChunk + i % 4, change[i]);
      change[i] = 0;
    }
    moved = 0;
  }

  // Fetches the rows of a pair from afar. Where others change them meanwhile, they are read anew.
  __device__ void expect(const Step &s) const {
    if (kChunks > 2 || s.count == 0) return;
#pragma unroll
    for (u32 c = 0; c < kChunks; c++) {
      if (!has(c)) continue;
      prefetch(e.docs + s.doc * (u64)e.pad + offset + c * kChunk);
      prefetch(e.words + s.word * (u64)e.pad + offset + c * kChunk);
    }
  }

  // Updates the pairs of the levels first … last-1, none of which has more than the block has teams. What the next
  // levels need that no pair before them changes is read while this one is at work: steps three levels ahead, bytes
  // two.
  __device__ void updateAll(u32 first, u32 last) {
    if (first == last) return;
    const u32 lot = threadInBlock() / kLanes * kPairs;  // the warp's pairs in a level
    const u32 mine = lot + (kHalves == 1 ? half : 0);
    u32 begins[4];
#pragma unroll
    for (u32 i = 0; i < 4; i++) begins[i] = e.begins[minimum(first + i, last)];
    Step step = stepAt(begins[0] + mine, begins[1]), next = stepAt(begins[1] + mine, begins[2]);
    Codes codes = codesOf(step), nextCodes = codesOf(next);
    for (u32 level = first; level < last; level++) {
      const u32 end = e.begins[minimum(level + 4, last)];
      const Step then = stepAt(begins[2] + mine, begins[3]);
      expect(next);
      if (begins[0] + lot < begins[1]) update(step, codes);
      step = next;
      codes = nextCodes;
      next = then;
      nextCodes = codesOf(then);
#pragma unroll
      for (u32 i = 0; i < 3; i++) begins[i] = begins[i + 1];
      begins[3] = end;
      syncBlock();
    }
    handOver();
  }
};

#define TILES(NAME, CHUNKS, HALVES, THREADS)                                                                          \
  extern "C" __global__ void __launch_bounds__(THREADS, 1) cvb_tiles_##NAME(                                          \
      const Step *steps, const u32 *begins, const u32 *levels, u32 *gamma, u32 *docs, u32 *words, const float *alpha, \
      u64 *totals, u32 turn, u32 epoch, u32 P, u32 K, u32 pad, u32 beta, u64 vbeta) {                                 \
    const Epoch e{steps,                                                                                              \
                  begins,                                                                                             \
                  levels,                                                                                             \
                  gamma,                                                                                              \
                  docs,                                                                                               \
                  words,                                                                                              \
                  alpha,                                                                                              \
                  totals,                                                                                             \
                  turn,                                                                                               \
                  epoch,                                                                                              \
                  P,                                                                                                  \
                  K,                                                                                                  \
                  pad,                                                                                                \
                  __builtin_bit_cast(float, beta),                                                                    \
                  __builtin_bit_cast(double, vbeta)};                                                                 \
    const Shared shared(CHUNKS *HALVES *kChunk);                                                                      \
    shared.begin(e);                                                                                                  \
    const u32 m = blockInGrid(), tile = m * P + (m + epoch) % P;                                                      \
    Team<CHUNKS, HALVES>(e, shared).updateAll(levels[tile], levels[tile + 1]);                                        \
    shared.end(e);                                                                                                    \
  }

// Each for so many topics at most.
TILES(64, 1, 1, kThreads)
TILES(128, 2, 1, kThreads)
TILES(256, 2, 2, kThreads)
TILES(512, 4, 2, kThreads)
TILES(1024, 8, 2, kThreadsMany)
TILES(2048, 16, 2, kThreadsMany)
