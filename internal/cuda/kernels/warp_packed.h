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

// Sixes is the state of more topics and two proposals: three numbers of 16 bits, and none between tokens.
struct Sixes {
  typedef u64 Whole;
  static const bool kWhole = true;

  u16 *tokens;

  __device__ u32 steps() const { return 2; }
  __device__ u32 get(u32 position, u32 i) const { return tokens[3 * (u64)position + i]; }
  __device__ void set(u32 position, u32 i, u32 topic) const { tokens[3 * (u64)position + i] = topic; }
  __device__ Whole whole(u32 position) const {
    return get(position, 0) | (Whole)get(position, 1) << 16 | (Whole)get(position, 2) << 32;
  }
  __device__ void setWhole(u32 position, Whole token) const {
    for (u32 i = 0; i < 3; i++) set(position, i, part(token, i));
  }
};

// The states by the bits of a topic and the number of proposals: 10x2, 16x1 and 16x2.
template <u32 kBits, u32 kSteps>
struct PackedState;
template <>
struct PackedState<10, 2> {
  static __device__ Tens of(u32 *tokens) { return Tens{tokens}; }
};
template <>
struct PackedState<16, 1> {
  static __device__ State<u16, 1> of(u32 *tokens) { return State<u16, 1>{(u16 *)tokens, 1 | 2 << 16}; }
};
template <>
struct PackedState<16, 2> {
  static __device__ Sixes of(u32 *tokens) { return Sixes{(u16 *)tokens}; }
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

#define RUNS \
  const u32 *begins, const u32 *before, const u32 *segments, const unsigned char *memberOf, const u32 *starts, u32 wide
#define THE_RUNS \
  Runs { begins, before, segments, memberOf, starts, wide }
