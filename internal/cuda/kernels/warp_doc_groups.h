// warp's doc phase for groups of short documents (see warp_groups.h and warp.h).
#pragma once
#include "warp_groups.h"

// What all documents share. kPlain: all α_k are the same and tokens move.
template <bool kPlain>
struct DocPhase {
  const float *inv;   // K
  const u32 *priors;  // 3K: α_k as float32, thresholds and other topics of the alias table
  u32 firstPrior;     // α_0's bits
  u32 allSame;        // all α_k are α_0
  double alphaSum;
  u32 moving;  // without, only proposals are drawn
  Settings settings;

  __device__ bool symmetric() const { return kPlain || allSame != 0; }
  __device__ bool walk() const { return kPlain || moving != 0; }
  __device__ float prior(u32 k) const {
    return __builtin_bit_cast(float, symmetric() ? firstPrior : readOnly(priors + k));
  }
};

// Moves a token through its proposals and gives its topic with picks for the next ones.
template <u32 kSteps, bool kPlain, class Whole>
__device__ Whole walkDoc(Whole token, u32 at, u32 block, const u16 *row, Draw draw, const float *inverse,
                         const DocPhase<kPlain> &phase) {
  const u32 own = part(token, 0), K = phase.settings.K;
  const auto weightOf = [&](u32 k) { return ((float)((u32)row[k] - (k == own)) + phase.prior(k)) * inverse[k]; };
  const Block words = stepWords(phase.settings, at, block, 0);
  u32 z = own;
  float weight = phase.walk() ? weightOf(own) : 0;
  Whole result = 0;
#pragma unroll
  for (u32 j = 0; j < kSteps; j++) {
    const Pick p = pickOf(words, j);
    if (phase.walk()) {
      const u32 t = part(token, 1 + j);
      const float other = weightOf(t);
      const bool accepted = unitOf(p.x) * weight < other;
      z = accepted ? t : z;
      weight = accepted ? other : weight;
    }
    const u32 smooth = phase.symmetric() ? evenTopic(p, K) : smoothTopic(p, K, phase.priors + K, false);
    const u32 place = kIsPlace | draw.place(p.y);
    result |= (Whole)(p.y < draw.cut ? place : smooth) << (16 * (1 + j));
  }
  return result | z;
}

// List has an entry for each token: its place in the grid's block, then its number in the document (11 bits)
// and the document's in the group (5 bits). A group's entries are in the order of places, so that a warp's
// tokens share sectors of memory.
struct DocList {
  static const bool kSearched = false;  // whether entry needs the Draws of all of kMembers

  const u32 *list;

  // What is read of token i of the group whose tokens begin at from: its place in the lower half, if not more.
  __device__ u32 fetch(u32 from, u32 i) const { return readOnly(list + from + i); }
  // The entry of token i of a group, for which that has been read.
  __device__ u32 entry(u32 fetched, u32, const Draws &) const { return fetched; }
  // The number in the group of the token with this entry.
  __device__ u32 number(u32 entry, u32, const Draw &draw) const { return draw.base() + (entry >> 16 & 0x7ff); }
};

// DocPlaces gives the tokens of groups in corpus order by their places alone: a token's number in its group is where it
// stands, and its document is the last one that begins there or before.
struct DocPlaces {
  static const bool kSearched = true;

  const u16 *places;

  __device__ u32 fetch(u32 from, u32 i) const { return readOnly(places + from + i); }
  __device__ u32 entry(u32 fetched, u32 i, const Draws &draws) const {
    u32 member = 0;
#pragma unroll
    for (u32 step = kMembers / 2; step > 0; step /= 2)
      if (draws.get(member + step).base() <= i) member += step;
    return fetched | member << 27;
  }
  __device__ u32 number(u32, u32 i, const Draw &) const { return i; }
};

// Shared memory, in this order, in 32-bit numbers: n_k and inv (K each, rounded
// up to a multiple of 4); Draws; 4 numbers, the first of which is the next group; rows of 16-bit
// counts (K/2, rounded up to a multiple of 4) for each document; the topics of all tokens after the walk, 16 bits
// each. One long function, because a group's tokens stay in registers.
template <u32 kSteps, bool kPlain, class Tokens, class Entries>
__device__ void docGroups(const Tokens &state, const Entries &entries, const Group *groups, u32 count,
                          const Share *shares, u32 rowCount, u32 *queue, u32 *nk, const DocPhase<kPlain> &phase) {
  typedef typename Tokens::Whole Whole;
  const u32 K = phase.settings.K, thread = threadInBlock();
  const u32 stride = (K + 3) / 4 * 4, half = (K + 7) / 8 * 4;
  u32 *totals = dynamicShared;
  float *inverse = (float *)(dynamicShared + stride);
  const Draws draws{dynamicShared + 2 * stride};
  u32 *next = dynamicShared + 2 * stride + 3 * kMembers;
  u32 *rows = next + 4;
  u16 *drawn = (u16 *)(rows + rowCount * half);
  for (u32 k = thread; k < K; k += kThreads) {
    totals[k] = 0;
    inverse[k] = phase.inv[k];
  }
  for (u32 i = 4 * thread; i < rowCount * half; i += 4 * kThreads) *(Four *)(rows + i) = Four{};
  u32 at = blockInGrid();
  Group group = groups[minimum(at, count - 1)];
  u32 entry[kPer];
#pragma unroll
  for (u32 r = 0; r < kPer; r++) entry[r] = entries.fetch(group.from, minimum(thread + r * kThreads, group.n - 1));
  while (at < count) {
    Whole token[kPer];
#pragma unroll
    for (u32 r = 0; r < kPer; r++) token[r] = state.whole(group.begin + (entry[r] & 0xffff));
    if (thread == 0) *next = blocksPerGrid() + fetchAdd(queue, 1);
    if (thread < group.members) {
      const Share share = shares[group.first + thread];
      draws.set(thread, Draw(Mix(share.n(), phase.alphaSum), share.base()));
    } else if (Entries::kSearched && thread < kMembers) {
      draws.set(thread, Draw(0, 0, 0xffff));  // begins behind all tokens
    }
    syncBlock();
#pragma unroll
    for (u32 r = 0; r < kPer; r++) entry[r] = entries.entry(entry[r], thread + r * kThreads, draws);
    if (phase.walk()) {
#pragma unroll
      for (u32 r = 0; r < kPer; r++) {
        const u32 z = part(token[r], 0), one = thread + r * kThreads < group.n;
        atomicAdd(rows + (again(entry[r]) >> 27) * half + z / 2, one << (z % 2 * 16));
      }
    }
    syncBlock();
    at = *next;
    const Group coming = groups[minimum(at, count - 1)];
#pragma unroll
    for (u32 c = 0; c < kPer; c += kStraight) {
      if (c * kThreads >= group.n) break;
      u32 number[kStraight];  // of the token in the group
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++) {
        const u32 here = again(entry[r]), member = here >> 27;
        const Draw draw = draws.get(member);
        number[r - c] = entries.number(here, thread + r * kThreads, draw);
        token[r] = walkDoc<kSteps, kPlain, Whole>(token[r], here & 0xffff, group.block,
                                                  (const u16 *)(rows + member * half), draw, inverse, phase);
      }
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++) {
        const u32 z = part(token[r], 0), one = thread + r * kThreads < group.n;
        if (one) drawn[number[r - c]] = z;
        atomicAdd(totals + z, one);
      }
    }
    syncBlock();
    u32 later[kPer];
#pragma unroll
    for (u32 r = 0; r < kPer; r++) later[r] = entries.fetch(coming.from, minimum(thread + r * kThreads, coming.n - 1));
    const u32 begin = again(group.begin);
#pragma unroll
    for (u32 c = 0; c < kPer; c += kStraight) {
      if (c * kThreads >= group.n) break;
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++) token[r] = lookUp<kSteps>(token[r], drawn);
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++)
        if (thread + r * kThreads < group.n) state.setWhole(begin + (again(entry[r]) & 0xffff), token[r]);
    }
    for (u32 i = 4 * thread; i < group.members * half; i += 4 * kThreads) *(Four *)(rows + i) = Four{};
    group = coming;
#pragma unroll
    for (u32 r = 0; r < kPer; r++) entry[r] = later[r];
  }
  syncBlock();
  for (u32 k = thread; k < K; k += kThreads)
    if (totals[k] > 0) atomicAdd(nk + k, totals[k]);
}
