// The lists of groups of documents and of words (see warp_groups.h), made of what is shorter than they are: positions
// by document, and segments of words. Portable Go and the definition: lists_device_test.go of internal/sampler/warp.
#include "warp_word_groups.h"

// The sum of a number over this thread and those before it, and over all of the block, which is in step after. carry
// is a number of shared memory for each of its warps, as many as a warp has lanes.
__device__ u32 sumUpTo(u32 n, u32 *carry, u32 &all) {
  const u32 warp = threadInBlock() / kLanes, lane = laneInWarp();
#pragma unroll
  for (u32 d = 1; d < kLanes; d *= 2) {
    const u32 before = fromLane(n, lane - d);
    if (lane >= d) n += before;
  }
  if (lane == kLanes - 1) carry[warp] = n;
  syncBlock();
  const u32 other = carry[lane];
  all = warpSum(other);
  n += warpSum(lane < warp ? other : 0);
  syncBlock();
  return n;
}

// A group's documents are in one block of the grid, whose places have a bit each: a token's number in the list is how
// many bits are set before its own. firsts says where members begin in byDoc. A warp has a member.
extern "C" __global__ void __launch_bounds__(1024, 2)
    warp_lists_docs(u32 *list, const u32 *byDoc, const Group *groups, u32 count, const Share *shares,
                    const u32 *firsts) {
  u32 *carry = dynamicShared, *bits = carry + kLanes, *before = bits + 2 * kThreads;
  const u32 thread = threadInBlock(), member = thread / kLanes;
  for (u32 g = blockInGrid(); g < count; g += blocksPerGrid()) {
    const Group group = groups[g];
    const bool has = member < group.members;
    const u32 n = has ? shares[group.first + member].n() : 0, first = has ? firsts[group.first + member] : 0;
    bits[thread] = bits[kThreads + thread] = 0;
    syncBlock();
    for (u32 i = laneInWarp(); i < n; i += kLanes) {
      const u32 place = byDoc[first + i] - group.begin;
      atomicAdd(bits + place / 32, 1u << place % 32);
    }
    syncBlock();
    const u32 one = __builtin_popcount(bits[2 * thread]), two = one + __builtin_popcount(bits[2 * thread + 1]);
    u32 all;
    const u32 upTo = sumUpTo(two, carry, all);
    before[2 * thread] = upTo - two;
    before[2 * thread + 1] = upTo - two + one;
    syncBlock();
    for (u32 i = laneInWarp(); i < n; i += kLanes) {
      const u32 place = byDoc[first + i] - group.begin, below = (1u << place % 32) - 1;
      const u32 number = before[place / 32] + __builtin_popcount(bits[place / 32] & below);
      list[group.from + number] = place | i << 16 | member << 27;
    }
    syncBlock();
  }
}

// A group has segments firsts[g] … firsts[g+1]-1, in the order of positions: spot of the first token, member, number
// of tokens. starts is where the grid's blocks begin.
extern "C" __global__ void __launch_bounds__(1024, 2)
    warp_lists_words(u32 *list, u32 *spots, u8 *memberOf, const u64 *segments, const u32 *firsts, const Group *groups,
                     u32 count, const u32 *starts) {
  for (u32 g = blockInGrid(); g < count; g += blocksPerGrid()) {
    u32 at = groups[g].from;
    const u32 end = firsts[g + 1];
    for (u32 i = firsts[g]; i < end; i += kThreads) {
      const u64 segment = i + threadInBlock() < end ? segments[i + threadInBlock()] : 0;
      const u32 n = segment & 0xffff, spot = segment >> 32, position = starts[spot >> 16] + (spot & 0xffff);
      u32 all;
      const u32 to = at + sumUpTo(n, dynamicShared, all) - n;
      for (u32 j = 0; j < n; j++) {
        list[to + j] = position + j;
        spots[to + j] = spot + j;
        memberOf[to + j] = (u8)(segment >> 16);
      }
      at += all;
    }
  }
}
