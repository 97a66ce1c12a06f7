// warp's doc phase (see warp.h). A document has one block of threads.
#pragma once
#include "warp.h"

// Dense is a document's row with a number for every topic.
struct Dense {
  u32 *counts;  // K

  __device__ void clear(u32, u32 K) const {
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) counts[k] = 0;
  }
  __device__ void add(u32 k) const { atomicAdd(counts + k, 1); }
  __device__ u32 count(u32 k) const { return counts[k]; }
};

// Hashed is the row of a document of at most 1024 tokens as an open-addressing
// table: (topic + 1) · 2048 + count, 0 where free.
struct Hashed {
  u32 *slots;
  u32 bits = 0;  // of the number of slots, which is at least twice the tokens

  __device__ u32 home(u32 k) const { return k * 0x9E3779B1u >> (32 - bits); }
  __device__ void clear(u32 n, u32) {
    bits = 1;
    while (1u << bits < 2 * n) bits++;
    for (u32 i = threadInBlock(); i < 1u << bits; i += threadsPerBlock()) slots[i] = 0;
  }
  __device__ void add(u32 k) const {
    for (u32 i = home(k);; i = (i + 1) & ((1u << bits) - 1)) {
      const u32 held = atomicReplace(slots + i, 0, (k + 1) << 11 | 1);
      if (held == 0) return;
      if (held >> 11 == k + 1) return atomicAdd(slots + i, 1);
    }
  }
  __device__ u32 count(u32 k) const {
    for (u32 i = home(k);; i = (i + 1) & ((1u << bits) - 1)) {
      const u32 held = slots[i];
      if (held == 0) return 0;
      if (held >> 11 == k + 1) return held & 2047;
    }
  }
};

// Prior is α: one number, or K numbers followed by an alias table.
struct Prior {
  const u32 *table;  // 3K: α_k as float32, thresholds, other topics
  u32 first;         // α_0's bits
  bool symmetric;

  __device__ float at(u32 k) const { return __builtin_bit_cast(float, symmetric ? first : readOnly(table + k)); }
};

// Moves a token through its proposals; proposal(j) gives them.
template <class Row, class Proposal>
__device__ u32 walkDoc(u32 own, u32 steps, Proposal proposal, const Row &row, const Prior &prior, const float *inv,
                       u32 place, u32 b, const Settings &s) {
  u32 z = own;
  float weight = ((float)(row.count(own) - 1) + prior.at(own)) * readOnly(inv + own);
  Block words = {};
  for (u32 j = 0; j < steps; j++) {
    if (j % 2 == 0) words = stepWords(s, place, b, j);
    const u32 t = proposal(j), x = pickOf(words, j).x;
    const float other = ((float)(row.count(t) - (t == own)) + prior.at(t)) * readOnly(inv + t);
    if (unitOf(x) * weight < other) {
      z = t;
      weight = other;
    }
  }
  return z;
}

// Head is what a block of threads needs to know of a document.
struct alignas(16) Head {
  u32 from, n;       // its tokens are entries from … from+n-1 of a list
  u32 block, begin;  // its block of the grid, and the first position there
};

// ByDoc is a list of positions in corpus order.
struct ByDoc {
  const u32 *list;

  // The position of a document's token i.
  __device__ u32 at(const Head &head, u32 i) const { return readOnly(list + head.from + i); }
};

// PlacesByDoc is a list of places in corpus order.
struct PlacesByDoc {
  const u16 *list;

  __device__ u32 at(const Head &head, u32 i) const { return head.begin + readOnly(list + head.from + i); }
};

// Row is a short document's row.
template <bool kHashed>
struct Row {
  typedef Dense Type;
  typedef u16 Column;
};
template <>
struct Row<true> {
  typedef Hashed Type;
  typedef u32 Column;
};

// Documents of at most room tokens, heads (count). Shared memory, in this order: the row,
// n_k and inv (K numbers each, rounded up to a multiple of 4; only 2048 slots when
// hashed); two numbers of Queue; room × (M+1) numbers of type Column for the tokens,
// column by column: topic, then proposals, in whose stead the places from which the
// next ones come are kept; and room 16-bit numbers for the tokens' places in the block.
template <u32 kSteps, bool kHashed, class S, class Positions>
__device__ void docs(const S &state, const Positions &byDoc, const Head *heads, u32 count, u32 room, u32 *queue,
                     const float *inv, const u32 *priors, u32 firstPrior, double alphaSum, u32 symmetric, u32 walk,
                     u32 *nk, const Settings &s) {
  typedef typename Row<kHashed>::Column Column;
  const Column kIsPlace = (Column)1 << (8 * sizeof(Column) - 1);  // marks a place of the row among topics
  const Prior prior{priors, firstPrior, symmetric != 0};
  const u32 K = s.K, thread = threadInBlock(), threads = threadsPerBlock();
  const u32 stride = (K + 3) / 4 * 4;  // so that rows are cleared four numbers at a time
  u32 *totals = dynamicShared + stride;
  float *copy = (float *)(dynamicShared + 2 * stride);
  u32 *slots = dynamicShared + (kHashed ? 2048 : 3 * stride);
  Column *column = (Column *)(slots + 2);
  u16 *places = (u16 *)(column + room * (state.steps() + 1));
  typename Row<kHashed>::Type row{dynamicShared};
  const auto inverse = [=](u32 k) { return kHashed ? readOnly(inv + k) : copy[k]; };
  const auto weightOf = [&](u32 k, u32 own) { return ((float)(row.count(k) - (k == own)) + prior.at(k)) * inverse(k); };
  if (!kHashed)
    for (u32 k = thread; k < K; k += threads) {
      totals[k] = 0;
      copy[k] = inv[k];
    }
  Head head = heads[minimum(blockInGrid(), count - 1)];
  for (Queue q(queue, slots); q.at < count; q.next()) {
    const u32 n = head.n;
    const Mix mix(n, alphaSum);
    if (kHashed)
      row.clear(n, K);
    else
      for (u32 k = 4 * thread; k < stride; k += 4 * threads) *(Four *)(dynamicShared + k) = Four{};
    syncBlock();
    const Head coming = heads[minimum(q.coming(), count - 1)];   // long before it is needed
    for (u32 first = thread; first < n; first += 4 * threads) {  // four loads at once
      u32 position[4], topic[4];
      typename S::Whole whole[4];
#pragma unroll
      for (u32 r = 0; r < 4; r++) position[r] = byDoc.at(head, minimum(first + r * threads, n - 1));
#pragma unroll
      for (u32 r = 0; r < 4; r++) {
        if (kSteps > 0) whole[r] = state.whole(position[r]);
        topic[r] = kSteps > 0 ? part(whole[r], 0) : state.get(position[r], 0);
      }
#pragma unroll
      for (u32 r = 0; r < 4; r++) {
        const u32 i = first + r * threads;
        if (i >= n) break;
        column[i] = topic[r];
        for (u32 j = 0; j < state.steps(); j++)
          column[(1 + j) * room + i] = kSteps > 0 ? part(whole[r], 1 + j) : state.get(position[r], 1 + j);
        places[i] = position[r] - head.begin;
        if (walk) row.add(topic[r]);
      }
    }
    syncBlock();
    for (u32 i = thread; i < n; i += threads) {
      const u32 own = column[i];
      u32 z = own;
      float weight = walk ? weightOf(own, own) : 0;
      Block words = {};
      for (u32 j = 0; j < state.steps(); j++) {
        if (j % 2 == 0) words = stepWords(s, places[i], head.block, j);
        const Pick p = pickOf(words, j);
        Column *slot = column + (1 + j) * room + i;
        if (walk) {
          const u32 t = *slot;
          const float other = weightOf(t, own);
          if (unitOf(p.x) * weight < other) {
            z = t;
            weight = other;
          }
        }
        *slot = p.y < mix.cut ? kIsPlace | mix.place(p.y) : smoothTopic(p, K, priors + K, prior.symmetric);
      }
      column[i] = z;
      atomicAdd(kHashed ? nk + z : totals + z, 1);
    }
    syncBlock();
    for (u32 i = thread; i < n; i += threads) {
      const u32 position = head.begin + places[i];
      typename S::Whole whole = {};
      if (kSteps > 0)
        put(whole, 0, column[i]);
      else
        state.set(position, 0, column[i]);
      for (u32 j = 0; j < state.steps(); j++) {
        const Column picked = column[(1 + j) * room + i];
        const u32 drawn = picked & kIsPlace ? column[picked ^ kIsPlace] : picked;
        if (kSteps > 0)
          put(whole, 1 + j, drawn);
        else
          state.set(position, 1 + j, drawn);
      }
      if (kSteps > 0) state.setWhole(position, whole);
    }
    head = coming;
  }
  if (kHashed) return;
  syncBlock();
  for (u32 k = thread; k < K; k += threads)
    if (totals[k] > 0) atomicAdd(nk + k, totals[k]);
}

const u32 kTotals = 4096;  // the most topics that blocks count for themselves, where all would wait for each other

// Documents that are longer: their topics stay in tokens, the row lies in shared
// memory, and n_k of up to kTotals topics beside it, or in scratch (blocks × K), and random
// words are computed twice. A row is cleared once; after a document only what it wrote is,
// so that the cost of a token does not grow with K. Until then the first proposal, which
// has been used, keeps the topic that was counted.
template <bool kShared, class S>
__device__ void longDocs(const S &state, const u32 *byDoc, const u32 *offsets, const u32 *list, u32 count,
                         const u32 *begin, u32 blockCount, u32 *scratch, const float *inv, const u32 *priors,
                         u32 firstPrior, double alphaSum, u32 symmetric, u32 walk, u32 *nk, const Settings &s) {
  const Blocks blocks{begin, blockCount};
  const Prior prior{priors, firstPrior, symmetric != 0};
  const Dense row{kShared ? dynamicShared : scratch + blockInGrid() * (u64)s.K};
  const bool own = kShared && s.K <= kTotals;
  const Dense totals{own ? dynamicShared + s.K : nk};
  if (own) totals.clear(0, s.K);
  row.clear(0, s.K);
  syncBlock();
  for (u32 at = blockInGrid(); at < count; at += blocksPerGrid()) {
    const u32 d = list[at], from = offsets[d], n = offsets[d + 1] - from;
    const u32 b = blocks.of(byDoc[from]), base = blocks.begin[b];
    const Mix mix(n, alphaSum);
    if (walk)
      for (u32 i = threadInBlock(); i < n; i += threadsPerBlock()) row.add(state.get(byDoc[from + i], 0));
    syncBlock();
    for (u32 i = threadInBlock(); i < n; i += threadsPerBlock()) {
      const u32 position = byDoc[from + i], counted = state.get(position, 0);
      if (walk) {
        state.set(position, 0,
                  walkDoc(
                      counted, state.steps(), [&](u32 j) { return state.get(position, 1 + j); }, row, prior, inv,
                      position - base, b, s));
        state.set(position, 1, counted);
      }
      totals.add(state.get(position, 0));
    }
    syncBlock();
    for (u32 i = threadInBlock(); i < n; i += threadsPerBlock()) {
      const u32 position = byDoc[from + i];
      if (walk) row.counts[state.get(position, 1)] = 0;
      Block words = {};
      for (u32 j = 0; j < state.steps(); j++) {
        if (j % 2 == 0) words = stepWords(s, position - base, b, j);
        const Pick p = pickOf(words, j);
        state.set(position, 1 + j,
                  p.y < mix.cut ? state.get(byDoc[from + mix.place(p.y)], 0)
                                : smoothTopic(p, s.K, priors + s.K, prior.symmetric));
      }
    }
    syncBlock();
  }
  if (!own) return;
  for (u32 k = threadInBlock(); k < s.K; k += threadsPerBlock())
    if (totals.count(k) > 0) atomicAdd(nk + k, totals.count(k));
}

// A kernel for short documents.
#define DOCS_KERNEL(KERNEL, T, STEPS, HASHED)                                                                        \
  extern "C" __global__ void __launch_bounds__(128, 12) KERNEL(                                                      \
      T *tokens, u32 layout, const u32 *byDoc, const u32 *heads, u32 count, u32 room, u32 *queue, const float *inv,  \
      const u32 *priors, u32 firstPrior, u64 alphaSum, u32 symmetric, u32 walk, u32 *nk, SCALARS) {                  \
    docs<STEPS, HASHED>(State<T, STEPS>{tokens, layout}, ByDoc{byDoc}, (const Head *)heads, count, room, queue, inv, \
                        priors, firstPrior, REAL(alphaSum), symmetric, walk, nk, SETTINGS);                          \
  }
