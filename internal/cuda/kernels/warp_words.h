// warp's word phase (see warp.h). A word with more tokens than the host's limit is
// hot: several blocks of threads count it, one makes running sums of its row, several
// walk it. Other words are in groups: of rows of K topics in shared memory where K is
// small (warp_word_groups.h), else of sorted topics (warp_sorted.h).
#pragma once
#include "warp.h"

// Sums is a word's row as running sums: topics below k have sum[k] tokens.
struct Sums {
  const u32 *sum;    // K+1
  const u32 *guide;  // kGuide+1: the topics of every 2^shift-th place, then K-1; or nothing
  u32 shift;

  __device__ u32 count(u32 k) const { return sum[k + 1] - sum[k]; }

  // The topic of place r: the first whose running sum exceeds r.
  __device__ u32 topic(u32 r, u32 K) const {
    u32 low = 0, high = K - 1;
    if (guide != nullptr) {
      low = guide[r >> shift];
      high = guide[(r >> shift) + 1];
    }
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (sum[middle + 1] > r)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
};

// Makes counts row[1 … K] into running sums, row[0] = 0, by the whole block.
// carry is a number of shared memory for each warp. The caller synchronises
// before; the block is in step after.
__device__ void runningSums(u32 *row, u32 K, u32 *carry) {
  const u32 warp = threadInBlock() / kLanes, lane = laneInWarp();
  const u32 share = (K + threadsPerBlock() - 1) / threadsPerBlock() * kLanes;  // of a warp
  const u32 begin = minimum(warp * share, K), end = minimum(begin + share, K);
  u32 sum = 0;
  for (u32 at = begin; at < end; at += kLanes) {
    u32 n = at + lane < end ? row[1 + at + lane] : 0;
#pragma unroll
    for (u32 d = 1; d < kLanes; d *= 2) {
      const u32 before = fromLane(n, lane - d);
      if (lane >= d) n += before;
    }
    n += sum;
    if (at + lane < end) row[1 + at + lane] = n;
    sum = fromLane(n, kLanes - 1);
  }
  if (lane == 0) carry[warp] = sum;
  syncBlock();
  u32 before = 0;
  for (u32 w = 0; w < warp; w++) before += carry[w];
  if (before > 0)
    for (u32 at = begin + lane; at < end; at += kLanes) row[1 + at] += before;
  if (threadInBlock() == 0) row[0] = 0;
  syncBlock();
}

const u32 kGuide = 256;  // places in a guide: one for each thread of the block

// Makes a guide to the running sums of n tokens by the whole block, kGuide threads,
// which is in step before and after. Every topic marks the first of the guide's
// places that it owns; the places between have the last mark before them.
__device__ Sums guided(const u32 *row, u32 n, u32 K, u32 *guide, u32 *carry) {
  u32 shift = 0;
  while ((n - 1) >> shift >= kGuide) shift++;
  const u32 thread = threadInBlock(), lane = laneInWarp();
  guide[thread] = thread << shift < n ? 0 : K - 1;
  syncBlock();
  for (u32 k = thread; k < K; k += kGuide) {
    const u32 place = (row[k] + (1u << shift) - 1) >> shift;
    if (place << shift < row[k + 1]) guide[place] = k;
  }
  syncBlock();
  u32 topic = guide[thread];
#pragma unroll
  for (u32 d = 1; d < kLanes; d *= 2) {
    const u32 before = fromLane(topic, lane - d);
    if (lane >= d && before > topic) topic = before;
  }
  if (lane == kLanes - 1) carry[thread / kLanes] = topic;
  syncBlock();
  for (u32 w = 0; w < thread / kLanes; w++)
    if (carry[w] > topic) topic = carry[w];
  guide[thread] = topic;
  if (thread == 0) guide[kGuide] = K - 1;
  syncBlock();
  return Sums{row, guide, shift};
}

// ByWord is a list of positions, word after word.
struct ByWord {
  const u32 *list;

  // The position of entry i; spot is for lists that know more.
  __device__ u32 at(u32 i, u32 &) const { return readOnly(list + i); }
  // The block of a position, and the place there.
  __device__ u32 block(u32 position, u32, const Blocks &blocks) const { return blocks.of(position); }
  __device__ u32 place(u32 position, u32, u32 block, const Blocks &blocks) const {
    return position - readOnly(blocks.begin + block);
  }
};

// Calls use with the number of each token of a list's entries from … to-1 and its topic, by the whole block, four
// tokens at a time in flight.
template <class S, class Positions, class Use>
__device__ void eachTopic(const S &state, const Positions &byWord, u32 from, u32 to, Use use) {
  for (u32 first = from + threadInBlock(); first < to; first += 4 * threadsPerBlock()) {
    u32 position[4], topic[4], spot;
#pragma unroll
    for (u32 r = 0; r < 4; r++) position[r] = byWord.at(minimum(first + r * threadsPerBlock(), to - 1), spot);
#pragma unroll
    for (u32 r = 0; r < 4; r++) topic[r] = state.get(position[r], 0);
#pragma unroll
    for (u32 r = 0; r < 4; r++)
      if (first + r * threadsPerBlock() < to) use(first + r * threadsPerBlock(), topic[r]);
  }
}

// Counts the topics of a word's tokens into row[1 … K].
template <class S, class Positions>
__device__ void countTokens(const S &state, const Positions &byWord, u32 from, u32 to, u32 *row) {
  eachTopic(state, byWord, from, to, [=](u32, u32 topic) { atomicAdd(row + 1 + topic, 1); });
}

// What all tokens of the word phase share.
template <class Positions>
struct WordPhase {
  Positions byWord;
  Blocks blocks;
  float beta;
  double betaSum;
  Settings settings;
};

// The word phase of entry i of byWord, a token of a word whose proposals come from mix; inverse gives inv_k.
template <class S, class Positions, class Row, class Inverse>
__device__ void walkToken(const S &state, const WordPhase<Positions> &phase, u32 i, const Mix &mix, const Row &row,
                          Inverse inverse) {
  const Settings &s = phase.settings;
  u32 spot = 0;
  const u32 position = phase.byWord.at(i, spot);
  const u32 b = phase.byWord.block(position, spot, phase.blocks);
  const u32 place = phase.byWord.place(position, spot, b, phase.blocks);
  typename S::Whole whole = {}, result = {};
  if (S::kWhole) whole = state.whole(position);
  const u32 own = S::kWhole ? part(whole, 0) : state.get(position, 0);
  u32 z = own;
  float weight = ((float)(row.count(own) - 1) + phase.beta) * inverse(own);
  Block words = {};
  for (u32 j = 0; j < state.steps(); j++) {
    if (j % 2 == 0) words = stepWords(s, place, b, j);
    const Pick p = pickOf(words, j);
    const u32 t = S::kWhole ? part(whole, 1 + j) : state.get(position, 1 + j);
    const float other = ((float)(row.count(t) - (t == own)) + phase.beta) * inverse(t);
    if (unitOf(p.x) * weight < other) {
      z = t;
      weight = other;
    }
    const u32 drawn = p.y < mix.cut ? row.topic(mix.place(p.y), s.K) : smoothTopic(p, s.K, nullptr, true);
    if (S::kWhole)
      put(result, 1 + j, drawn);
    else
      state.set(position, 1 + j, drawn);
  }
  if (S::kWhole) {
    put(result, 0, z);
    state.setWhole(position, result);
  } else {
    state.set(position, 0, z);
  }
}

const u32 kCarries = 32;  // numbers of shared memory of runningSums, one for each warp

// Where a hot word's row and inv lie.
enum Memory {
  kNearest,  // the row, inv and a guide in shared memory
  kNear,     // the row in shared memory
  kFar       // nothing in shared memory
};

// Copies inv to shared memory where it belongs there.
template <Memory kMemory>
__device__ void copyInverse(float *copy, const float *inv, u32 K) {
  if (kMemory == kNearest)
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) copy[k] = inv[k];
}

// chunks (3 × count): for each part of a hot word the row of the word, and the
// part's first and last+1 token in byWord. rows (hot words × (K+1)) is zero.
template <Memory kMemory, class S, class Positions>
__device__ void countHot(const S &state, const Positions &byWord, const u32 *chunks, u32 *rows, u32 K) {
  const u32 *chunk = chunks + 3 * blockInGrid();
  u32 *row = rows + chunk[0] * (u64)(K + 1);
  if (kMemory == kFar) return countTokens(state, byWord, chunk[1], chunk[2], row);
  for (u32 k = threadInBlock(); k <= K; k += threadsPerBlock()) dynamicShared[k] = 0;
  syncBlock();
  countTokens(state, byWord, chunk[1], chunk[2], dynamicShared);
  syncBlock();
  for (u32 k = 1 + threadInBlock(); k <= K; k += threadsPerBlock())
    if (dynamicShared[k] > 0) atomicAdd(row + k, dynamicShared[k]);
}

template <Memory kMemory, class S, class Positions>
__device__ void walkHot(const S &state, const u32 *chunks, const u32 *rows, const float *inv,
                        const WordPhase<Positions> &phase) {
  const u32 K = phase.settings.K, *chunk = chunks + 3 * blockInGrid();
  const u32 *row = rows + chunk[0] * (u64)(K + 1);
  const u32 n = row[K];
  float *copy = (float *)(dynamicShared + K + 1);
  copyInverse<kMemory>(copy, inv, K);
  if (kMemory != kFar)
    for (u32 k = threadInBlock(); k <= K; k += threadsPerBlock()) dynamicShared[k] = row[k];
  syncBlock();
  const auto inverse = [=](u32 k) { return kMemory == kNearest ? copy[k] : readOnly(inv + k); };
  Sums sums{kMemory != kFar ? dynamicShared : row, nullptr, 0};
  u32 *guide = dynamicShared + 2 * K + 1;
  if (kMemory == kNearest) sums = guided(dynamicShared, n, K, guide, guide + kGuide + 1);
  const Mix mix(n, phase.betaSum);
  for (u32 i = chunk[1] + threadInBlock(); i < chunk[2]; i += threadsPerBlock())
    walkToken(state, phase, i, mix, sums, inverse);
}
