// cvb, zero-order: the state on a device beside its updates (cvb.cu): responsibilities that topics give, counts that
// responsibilities give, topics drawn from them, and their bytes in the order that the host has. Portable Go and the
// definition: cvb.go, draw.go and save.go in internal/sampler/cvb.
#include "cvb.h"

// Half is a half-warp that takes pairs in turn.
struct Half {
  u32 lane;         // 0 … 15
  u32 first, step;  // the warp's pairs: the first of two, and how far it is to the next two
  u32 own;          // which of the two is this half-warp's

  __device__ Half() {
    lane = laneInWarp() % kWidth;
    own = laneInWarp() / kWidth;
    first = threadInGrid() / kLanes * 2;
    step = threadsPerGrid() / kLanes * 2;
  }
};

// Sets the responsibilities of every pair to the shares of topics that its tokens have: State.startPair. A lane has its
// own topics alone.
extern "C" __global__ void __launch_bounds__(256, 4)
    cvb_start(const Step *steps, u32 pairs, const u32 *tokens, const u16 *z, u32 *gamma, u32 pad) {
  const Half h;
  for (u32 i = h.first + h.own; i < pairs; i += h.step) {
    const Step s = steps[i];
    const u16 *topics = z + tokens[s.pair];
    u32 *row = gamma + s.pair * (u64)pad / 4;
    for (u32 c = 0; c < pad / kChunk; c++) row[c * kWidth + h.lane] = kFourNone;
    for (u32 t = 0; t < s.count; t++) {
      const u32 k = topics[t];
      unsigned char *code = (unsigned char *)row + placeOf(k);
      if (k % kWidth != h.lane || *code != kNone) continue;
      u32 n = 0;
      for (u32 other = t; other < s.count; other++) n += topics[other] == k;
      *code = Encoded((float)(8032 * n) / (float)s.count).code;
    }
  }
}

// Adds the responsibilities of every pair to the counts of its document and word: State.recount.
extern "C" __global__ void __launch_bounds__(256, 4)
    cvb_recount(const Step *steps, u32 pairs, const u32 *gamma, u32 *docs, u32 *words, u32 pad) {
  const Half h;
  for (u32 i = h.first + h.own; i < pairs; i += h.step) {
    const Step s = steps[i];
    const u32 *row = gamma + s.pair * (u64)pad / 4;
    u32 *doc = docs + s.doc * (u64)pad, *word = words + s.word * (u64)pad;
    for (u32 c = 0; c < pad / kChunk; c++) {
      const u32 codes = row[c * kWidth + h.lane], place = c * kChunk + h.lane * 4;
      if (codes == kFourNone) continue;
      for (u32 j = 0; j < 4; j++) {
        const u32 n = s.count * unitsOf(codes, j);
        if (n == 0) continue;
        atomicAdd(doc + place + j, n);
        atomicAdd(word + place + j, n);
      }
    }
  }
}

// Adds the rows of all words to n_k: sumRows.
extern "C" __global__ void __launch_bounds__(64, 16) cvb_totals(const u32 *words, u32 V, u32 pad, u64 *totals) {
  for (u32 i = threadInBlock(); i < pad; i += threadsPerBlock()) {
    u64 sum = 0;
    for (u32 w = blockInGrid(); w < V; w += blocksPerGrid()) sum += (u64)(long long)(int)words[w * (u64)pad + i];
    if (sum != 0) atomicAdd(totals + i, sum);
  }
}

// The sum over the lanes up to this one, of its half-warp.
__device__ u32 prefix16(u32 n) {
  const u32 lane = laneInWarp();
#pragma unroll
  for (u32 s = 1; s < kWidth; s *= 2) {
    const u32 before = fromLane(n, lane - s);
    if (lane % kWidth >= s) n += before;
  }
  return n;
}

// Draws a topic for every token from its responsibilities, unless they are given, and counts n_wk (V × K) and n_k:
// State.Topics. words has the id of every word and its random number, by row; shared memory has room for n_k.
extern "C" __global__ void __launch_bounds__(256, 4)
    cvb_draw(const Step *steps, u32 pairs, const u32 *tokens, const u32 *ranks, const u32 *words, const u32 *gamma,
             u16 *z, u32 *nwk, u32 *nk, u32 K, u32 pad, u32 given) {
  u32 *totals = dynamicShared;
  for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) totals[k] = 0;
  syncBlock();
  const Half h;
  for (u32 i = h.first; i < pairs; i += h.step) {
    const bool there = i + h.own < pairs;
    const Step s = there ? steps[i + h.own] : Step{0, 0, 0, 0};
    const u32 *row = gamma + s.pair * (u64)pad / 4 + h.lane;
    u32 sum = 0;
    if (there && !given) {
      for (u32 c = 0; c < pad / kChunk; c++) {
        const u32 codes = row[c * kWidth];
        if (codes == kFourNone) continue;
        for (u32 j = 0; j < 4; j++) sum += unitsOf(codes, j);
      }
    }
    const u32 end = prefix16(sum), begin = end - sum, total = fromLane(end, laneInWarp() | (kWidth - 1));
    if (!there) continue;
    const u32 token = tokens[s.pair];
    u32 *counts = nwk + words[2 * s.word] * (u64)K;
    u32 u = words[2 * s.word + 1] + ranks[s.pair] * 0x9e3779b9u;
    for (u32 t = token; t < token + s.count; t++, u += 0x9e3779b9u) {
      u32 k = 0;
      if (given) {
        if (t % kWidth != h.lane) continue;
        k = z[t];
      } else {
        u32 rest = (u32)((u64)u * total >> 32);
        if (rest < begin || rest >= end) continue;
        rest -= begin;
        for (u32 c = 0;; c++) {
          const u32 codes = row[c * kWidth];
          u32 j = 0;
          for (; j < 4 && rest >= unitsOf(codes, j); j++) rest -= unitsOf(codes, j);
          if (j < 4) {
            k = c * kChunk + j * kWidth + h.lane;
            break;
          }
        }
        z[t] = (u16)k;
      }
      atomicAdd(counts + k, 1);
      atomicAdd(totals + k, 1);
    }
  }
  syncBlock();
  for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
    if (totals[k] > 0) atomicAdd(nk + k, totals[k]);
}

// Copies the responsibilities of pairs first … first+count-1 to rows of kpad bytes by topic.
extern "C" __global__ void __launch_bounds__(256, 4)
    cvb_save(const unsigned char *gamma, u64 first, u32 count, u32 pad, u32 kpad, unsigned char *rows) {
  for (u64 i = threadInGrid(); i < count * (u64)kpad; i += threadsPerGrid())
    rows[i] = gamma[(first + i / kpad) * pad + placeOf(i % kpad)];
}

// The inverse of cvb_save.
extern "C" __global__ void __launch_bounds__(256, 4)
    cvb_load(unsigned char *gamma, u64 first, u32 count, u32 pad, u32 kpad, const unsigned char *rows) {
  for (u64 i = threadInGrid(); i < count * (u64)pad; i += threadsPerGrid()) {
    const u32 k = topicAt(i % pad);
    gamma[first * pad + i] = k < kpad ? rows[i / pad * kpad + k] : kNone;
  }
}
