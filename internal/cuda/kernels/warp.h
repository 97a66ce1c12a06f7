// What the two phases of warp share. Portable Go and the definition: warp in
// internal/sampler. Every number drawn, every order and every rounding is that
// definition's.
//
// tokens is the state in grid order: of each token the topic, then M proposals. Two lists
// of grid positions lead to it: byWord (N), word after word, and byDoc (N), in
// corpus order. Grid order is by blocks of documents and by word inside a block,
// so both phases, which start their words and documents in order, find tokens
// that were touched a moment ago beside the ones they need, in the L2 cache.
//
// Names of kernels end in _16 and _32 for the bits of a topic, with M known to the
// compiler in _16x1, _16x2 and _32x2.
#pragma once
#include "philox.h"

// Settings are the scalars that all kernels share.
struct Settings {
  u32 K;
  Key key;
  u32 iteration, purpose;
};

// Three holds a token's topic and two proposals of 32 bits.
struct Three {
  u32 topic, first, second;
};

// Packed is what holds a token's topic and one, or two, proposals, the topic lowest: a
// number if they have 16 bits.
template <class T, u32 kSteps>
struct Packed {
  typedef u64 Type;
};
template <>
struct Packed<u16, 1> {
  typedef u32 Type;
};
template <>
struct Packed<u32, 2> {
  typedef Three Type;
};

// State gives a token's topic and proposals. kSteps is M where the compiler knows it:
// then a token is a Packed. layout is M, and the numbers from one token to the next
// in the upper half.
template <class T, u32 kSteps>
struct State {
  typedef typename Packed<T, kSteps>::Type Whole;
  static const bool kWhole = kSteps > 0;

  T *tokens;
  u32 layout;

  __device__ u32 steps() const { return kSteps > 0 ? kSteps : layout & 0xffff; }
  __device__ T *at(u32 position) const {
    if (kWhole)
      return (T *)__builtin_assume_aligned(tokens + position * (u64)(sizeof(Whole) / sizeof(T)), alignof(Whole));
    return tokens + position * (u64)(layout >> 16);
  }
  // Topic 0, or proposal i - 1, of a token.
  __device__ u32 get(u32 position, u32 i) const { return at(position)[i]; }
  __device__ void set(u32 position, u32 i, u32 topic) const { at(position)[i] = topic; }

  __device__ Whole whole(u32 position) const {
    Whole token;
    __builtin_memcpy(&token, at(position), sizeof token);
    return token;
  }
  __device__ void setWhole(u32 position, Whole token) const { __builtin_memcpy(at(position), &token, sizeof token); }
};

// Topic 0, or proposal i - 1, of a Packed.
template <class Whole>
__device__ u32 part(Whole token, u32 i) {
  return (u32)(token >> (16 * i)) & 0xffff;
}
__device__ u32 part(const Three &token, u32 i) { return i == 0 ? token.topic : i == 1 ? token.first : token.second; }

// Sets topic 0, or proposal i - 1, of a Packed, which must be 0.
template <class Whole>
__device__ void put(Whole &token, u32 i, u32 topic) {
  token |= (Whole)topic << (16 * i);
}
__device__ void put(Three &token, u32 i, u32 topic) {
  (i == 0 ? token.topic : i == 1 ? token.first : token.second) = topic;
}

// Queue deals out the numbers 0 … count-1 to blocks of threads in order, so that
// those at work are near each other: what they need is together in the L2 cache.
//
//   for (Queue q(taken, slots); q.at < count; q.next()) { … syncBlock(); … }
//
// There must be a barrier between any two calls of next, and one after the last
// use of what a number stands for.
struct Queue {
  u32 *taken;  // numbers dealt out beyond the first of every block; zero before the launch
  u32 *slots;  // two numbers of shared memory
  u32 at, turn;

  __device__ Queue(u32 *taken, u32 *slots) : taken(taken), slots(slots), at(blockInGrid()), turn(0) { take(); }
  __device__ void take() {
    if (threadInBlock() == 0) slots[turn] = blocksPerGrid() + fetchAdd(taken, 1);
  }
  // The number that next will give; there must have been a barrier since the last
  // call of next.
  __device__ u32 coming() const { return slots[turn]; }
  __device__ void next() {
    syncBlock();
    at = slots[turn];
    turn ^= 1;
    take();
  }
};

// Blocks says where the grid's blocks begin. begin has a number for each block
// and N at the end; after them, for every 65,536 positions, the block of the first.
struct Blocks {
  const u32 *begin;
  u32 count;

  __device__ u32 of(u32 position) const {
    u32 b = readOnly(begin + count + 1 + (position >> 16));
    while (readOnly(begin + b + 1) <= position) b++;
    return b;
  }
};

// The random words of two proposals, j and j+1, j even, of the token in a place
// of block b.
__device__ Block stepWords(const Settings &s, u32 place, u32 b, u32 j) {
  return philox(s.key, place, s.iteration, s.purpose + (j / 2 << 8), b);
}

// Pick is x and y of proposal j.
struct Pick {
  u32 x, y;
};

__device__ Pick pickOf(const Block &words, u32 j) {
  const u32 x0 = words.x[0], y0 = words.x[1], x1 = words.x[2], y1 = words.x[3];
  return j % 2 ? Pick{x1, y1} : Pick{x0, y0};
}

__device__ float unitOf(u32 x) { return (float)(x >> 8) * 0x1p-24f; }

// Mix is the mixture of a row of n tokens and its prior: newWarpMix.
struct Mix {
  u32 cut, mul, shift;

  __device__ Mix(u32 cut, u32 mul, u32 shift) : cut(cut), mul(mul), shift(shift) {}
  __device__ Mix(u32 n, double smooth) {
    const double total = (double)n + smooth;
    const u64 bits = __builtin_bit_cast(u64, total);
    const double share = (double)n / total * 0x1p32;
    cut = share < 4294967295.0 ? (u32)share : 0xffffffffu;
    mul = (u32)(((bits & 0xfffffffffffffull) | 0x10000000000000ull) >> 21);
    shift = 64 - ((u32)(bits >> 52) - 1022);
  }
  __device__ u32 place(u32 y) const { return (u32)((u64)y * mul >> shift); }
};

// A topic from the prior: warpSmooth. alias is K thresholds and K other topics, or
// unused where all topics have the same prior.
__device__ u32 smoothTopic(Pick p, u32 K, const u32 *alias, bool symmetric) {
  const u32 v = (p.y << 8 | (p.x & 255)) * 0x9E3779B1u;
  const u64 column = (u64)v * K;
  const u32 k = (u32)(column >> 32);
  if (!symmetric && (u32)column >= readOnly(alias + k)) return readOnly(alias + K + k);
  return k;
}

#define SCALARS u32 K, u32 k0, u32 k1, u32 iteration, u32 purpose
#define SETTINGS \
  Settings { K, {k0, k1}, iteration, purpose }
#define REAL(x) __builtin_bit_cast(double, x)
#define SINGLE(x) __builtin_bit_cast(float, x)
