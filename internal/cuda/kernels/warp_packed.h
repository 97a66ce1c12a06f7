// warp in little memory: what a token is and where it is take a quarter of what groups with lists
// take. Tokens stay on the device; lists are small enough to come over the bus in every
// iteration, where even they do not fit.
#pragma once
#include "warp.h"

// Tens is the state of up to 1024 topics and two proposals: three numbers of ten bits in 32. It is
// read and written in the form of State<u16, 2>.
struct Tens {
  typedef u64 Whole;
  static const bool kWhole = true;

  u32 *tokens;

  __device__ u32 steps() const { return 2; }
  __device__ u32 get(u32 position, u32 i) const { return tokens[position] >> (10 * i) & 1023; }
  __device__ void set(u32 position, u32 i, u32 topic) const {
    tokens[position] = (tokens[position] & ~(1023u << (10 * i))) | topic << (10 * i);
  }
  __device__ Whole whole(u32 position) const {
    const u32 token = tokens[position];
    return (token & 1023) | (token << 6 & 1023 << 16) | (Whole)(token >> 20) << 32;
  }
  __device__ void setWhole(u32 position, Whole token) const {
    tokens[position] = part(token, 0) | part(token, 1) << 10 | part(token, 2) << 20;
  }
};

// The state of 10x2, ten bits and two proposals, or 16x1.
template <u32 kSteps>
struct PackedState {
  typedef Tens Type;
  static __device__ Type of(u32 *tokens) { return Type{tokens}; }
};
template <>
struct PackedState<1> {
  typedef State<u16, 1> Type;
  static __device__ Type of(u32 *tokens) { return Type{(u16 *)tokens, 1 | 2 << 16}; }
};

// Runs is a list of tokens in segments, tokens of one word that follow each other in one block of the grid. A run
// is 32 entries of the list, and a segment never crosses from one to the next. A token's spot is its block, times
// 65536, and its place there.
struct Runs {
  const u32 *begins;    // for each run a bit for every token with which a segment begins, the first among them
  const u32 *before;    // for each run: segments before it
  const u32 *segments;  // their first tokens' spots; see wide
  const unsigned char *memberOf;  // for each segment its word's number in the group
  const u32 *starts;              // the blocks' first positions
  u32 wide;  // else there is no memberOf, and segments have the word's number in five bits from bit 27 on

  // The spot of an entry; and its segment, and the segment's number.
  __device__ u32 spot(u32 index, u32 &segment, u32 &number) const {
    const u32 run = index / 32, bits = readOnly(begins + run) & 0xffffffffu >> (31 - index % 32);
    number = readOnly(before + run) + __builtin_popcount(bits) - 1;
    segment = readOnly(segments + number);
    return (wide ? segment : segment & 0x7ffffff) + (index % 32 - (31 - __builtin_clz(bits)));
  }
  __device__ u32 position(u32 spot) const { return readOnly(starts + (spot >> 16)) + (spot & 0xffff); }

  // What ByWord of warp_words.h gives.
  __device__ u32 at(u32 index, u32 &found) const {
    u32 segment, number;
    found = spot(index, segment, number);
    return position(found);
  }
  __device__ u32 block(u32, u32 spot, const Blocks &) const { return spot >> 16; }
  __device__ u32 place(u32, u32 spot, u32, const Blocks &) const { return spot & 0xffff; }
};

#define RUNS                                                                                                           \
  const u32 *begins, const u32 *before, const u32 *segments, const unsigned char *memberOf, const u32 *starts, u32 wide
#define THE_RUNS Runs{begins, before, segments, memberOf, starts, wide}
