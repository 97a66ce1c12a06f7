// warp's word phase for groups of words that are not hot (see warp_groups.h and warp.h).
// A row becomes one number per topic: the tokens with it, and 65536 times how many
// tokens of the group sort before them, by word and topic. So every token knows its
// place in the sorted list of topics from which proposals are drawn.
#pragma once
#include "warp_groups.h"

// The sum of a number over the warp, in every lane.
__device__ u32 warpSum(u32 n) {
#pragma unroll
  for (u32 d = 1; d < kLanes; d *= 2) n += fromLane(n, laneInWarp() ^ d);
  return n;
}

// Adds to each of `numbers` counts 65536 times the sum of all counts before it, by the
// whole block, which is in step before and after. numbers is a multiple of 4; carry is a
// number of shared memory for each warp.
__device__ void sortingPlaces(u32 *counts, u32 numbers, u32 *carry) {
  const u32 warp = threadInBlock() / kLanes, lane = laneInWarp();
  const u32 share = (numbers / 4 + kThreads - 1) / kThreads;  // fours of a lane
  Four *fours = (Four *)counts + warp * share * kLanes + lane;
  const u32 end = numbers / 4, first = warp * share * kLanes + lane;
  u32 sum = 0;
  for (u32 i = 0; i < share; i++)
    if (first + i * kLanes < end) {
      const Four f = fours[i * kLanes];
      sum += f.x[0] + f.x[1] + f.x[2] + f.x[3];
    }
  sum = warpSum(sum);
  if (lane == 0) carry[warp] = sum;
  syncBlock();
  u32 before = warpSum(lane < warp ? carry[lane] : 0);
  for (u32 i = 0; i < share; i++) {
    const bool inside = first + i * kLanes < end;
    Four f = inside ? fours[i * kLanes] : Four{};
    const u32 own = f.x[0] + f.x[1] + f.x[2] + f.x[3];
    u32 upTo = own;
#pragma unroll
    for (u32 d = 1; d < kLanes; d *= 2) {
      const u32 left = fromLane(upTo, lane - d);
      if (lane >= d) upTo += left;
    }
    u32 place = before + upTo - own;
    before += fromLane(upTo, kLanes - 1);
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
      const u32 n = f.x[j];
      f.x[j] = place << 16 | n;
      place += n;
    }
    if (inside) fours[i * kLanes] = f;
  }
  syncBlock();
}

// What all words share.
struct WordPhase {
  const float *inv;
  float beta;
  double betaSum;
  Settings settings;
};

// Moves a token through its proposals and gives its topic with picks for the next ones.
// ownRow is the row's number for the token's topic.
template <u32 kSteps, class Whole>
__device__ Whole walkWord(Whole token, u32 at, u32 block, const u32 *row, u32 ownRow, Draw draw, const float *inverse,
                          const WordPhase &phase) {
  const u32 own = part(token, 0);
  const Block words = stepWords(phase.settings, at, block, 0);
  u32 z = own;
  float weight = ((float)((ownRow & 0xffff) - 1) + phase.beta) * inverse[own];
  Whole result = 0;
#pragma unroll
  for (u32 j = 0; j < kSteps; j++) {
    const Pick p = pickOf(words, j);
    const u32 t = part(token, 1 + j);
    const float other = ((float)((row[t] & 0xffff) - (t == own)) + phase.beta) * inverse[t];
    const bool accepted = unitOf(p.x) * weight < other;
    z = accepted ? t : z;
    weight = accepted ? other : weight;
    const u32 smooth = evenTopic(p, phase.settings.K), place = kIsPlace | draw.place(p.y);
    result |= (Whole)(p.y < draw.cut ? place : smooth) << (16 * (1 + j));
  }
  return result | z;
}

// WordList has three numbers for every token of every group: its position, its word's number in the group, and its
// block of the grid, times 65536, with its place there, which is called its spot. A group's tokens are in the order of
// positions, so that a warp's tokens share sectors of memory.
struct WordList {
  const u32 *positions;
  const u8 *memberOf;
  const u32 *spots;

  // Where token i of the group whose tokens begin at from is, and its word's number.
  __device__ void fetch(u32 from, u32 i, u32 &where, u32 &member) const {
    where = readOnly(positions + (from + i));
    member = readOnly(memberOf + (from + i));
  }
  __device__ u32 position(u32 where) const { return where; }
  __device__ u32 spot(u32, u32 from, u32 i) const { return readOnly(spots + from + i); }
};

// Shared memory, in this order, in 32-bit numbers: inv
// (K, rounded up to a multiple of 4); Draws; 4 numbers, the first of which is the next group; 32 carries; rows
// (rowCount × K, rounded up to a multiple of 4); the sorted topics, 16 bits each. One long function, because a
// group's tokens stay in registers.
template <u32 kSteps, class Tokens, class Entries>
__device__ void wordGroups(const Tokens &state, const Entries &entries, const Group *groups, u32 count,
                           const Share *shares, u32 rowCount, u32 *queue, const WordPhase &phase) {
  typedef typename Tokens::Whole Whole;
  const u32 K = phase.settings.K, thread = threadInBlock();
  float *inverse = (float *)dynamicShared;
  const Draws draws{dynamicShared + (K + 3) / 4 * 4};
  u32 *next = draws.numbers + 3 * kMembers;
  u32 *carry = next + 4;
  u32 *rows = carry + kThreads / kLanes;
  u16 *sorted = (u16 *)(rows + (rowCount * K + 3) / 4 * 4);
  for (u32 k = thread; k < K; k += kThreads) inverse[k] = phase.inv[k];
  for (u32 i = 4 * thread; i < rowCount * K; i += 4 * kThreads) *(Four *)(rows + i) = Four{};
  u32 at = blockInGrid();
  Group group = groups[minimum(at, count - 1)];
  u32 where[kPer], rank[kPer];  // rank: of the token among those of its word and topic, and 65536 times its word
#pragma unroll
  for (u32 r = 0; r < kPer; r++)
    entries.fetch(group.from, minimum(thread + r * kThreads, group.n - 1), where[r], rank[r]);
  while (at < count) {
    Whole token[kPer];
#pragma unroll
    for (u32 r = 0; r < kPer; r++) token[r] = state.whole(entries.position(where[r]));
    if (thread == 0) *next = blocksPerGrid() + fetchAdd(queue, 1);
    if (thread < group.members) {
      const Share share = shares[group.first + thread];
      draws.set(thread, Draw(Mix(share.n(), phase.betaSum), share.base()));
    }
    syncBlock();
#pragma unroll
    for (u32 r = 0; r < kPer; r++)
      rank[r] = rank[r] << 16 | fetchAdd(rows + rank[r] * K + part(token[r], 0), thread + r * kThreads < group.n);
    syncBlock();
    at = *next;
    const Group coming = groups[minimum(at, count - 1)];
    const u32 numbers = (group.members * K + 3) / 4 * 4;
    sortingPlaces(rows, numbers, carry);
#pragma unroll
    for (u32 c = 0; c < kPer; c += kStraight) {
      if (c * kThreads >= group.n) break;
      u32 own[kStraight], spot[kStraight];  // own: the row's number for the topic before the walk
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++)
        spot[r - c] = entries.spot(where[r], group.from, minimum(thread + r * kThreads, group.n - 1));
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++) {
        own[r - c] = rows[(rank[r] >> 16) * K + part(token[r], 0)];
        if (thread + r * kThreads < group.n) sorted[(own[r - c] >> 16) + (rank[r] & 0xffff)] = part(token[r], 0);
      }
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++)
        token[r] = walkWord<kSteps>(token[r], spot[r - c] & 0xffff, spot[r - c] >> 16, rows + (rank[r] >> 16) * K,
                                    own[r - c], draws.get(rank[r] >> 16), inverse, phase);
    }
    syncBlock();
#pragma unroll
    for (u32 c = 0; c < kPer; c += kStraight) {
      if (c * kThreads >= group.n) break;
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++) token[r] = lookUp<kSteps>(token[r], sorted);
#pragma unroll
      for (u32 r = c; r < c + kStraight; r++)
        if (thread + r * kThreads < group.n) state.setWhole(entries.position(again(where[r])), token[r]);
    }
#pragma unroll
    for (u32 r = 0; r < kPer; r++)
      entries.fetch(coming.from, minimum(thread + r * kThreads, coming.n - 1), where[r], rank[r]);
    for (u32 i = 4 * thread; i < numbers; i += 4 * kThreads) *(Four *)(rows + i) = Four{};
    group = coming;
  }
}
