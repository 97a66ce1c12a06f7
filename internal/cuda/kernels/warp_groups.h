// Groups of documents, or of words, whose tokens one block of threads holds in its
// registers, kPer a thread, while the rows of all members lie in shared memory. Few
// barriers for many tokens, and all loads of a group in flight at once.
#pragma once
#include "warp.h"

typedef unsigned char u8;

#ifdef __CUDA__
__device__ u32 readOnly(const u8 *address) { return (u32)__nvvm_ldg_uc(address); }

// The upper half of a product.
__device__ u32 upper(u32 a, u32 b) { return (u32)__nvvm_mulhi_ui(a, b); }
#else
__device__ u32 upper(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
#endif

// Group is consecutive members with all their tokens.
struct alignas(16) Group {
  u32 from, n;         // its tokens are entries from … from+n-1 of a list
  u32 first, members;  // its members' Shares begin at first
  u32 block, begin;    // documents: their block of the grid, and the first position there
  u32 unused[2];
};

// Share is a member's part of a group: its n tokens have numbers base … base+n-1.
struct Share {
  u32 packed;  // base + 65536 n

  __device__ u32 base() const { return packed & 0xffff; }
  __device__ u32 n() const { return packed >> 16; }
};

const u32 kThreads = 1024;    // of a block of threads
const u32 kPer = 8;           // tokens of a thread
const u32 kMembers = 32;      // the most members of a group
const u32 kIsPlace = 0x8000;  // tells a token's number from a topic, in 16 bits
const u32 kStraight = 4;      // tokens of a thread that are worked on without a branch between them

// Draw is the mixture from which a member's proposals come (Mix), and where the
// member's tokens begin in the group.
struct Draw {
  u32 cut, mul, rest;  // rest: base + 65536 (shift - 32)

  __device__ Draw(u32 cut, u32 mul, u32 rest) : cut(cut), mul(mul), rest(rest) {}
  __device__ Draw(const Mix &mix, u32 base) : cut(mix.cut), mul(mix.mul), rest(base | (mix.shift - 32) << 16) {}

  __device__ u32 base() const { return rest & 0xffff; }

  // The number in the group of the token from which the proposal is taken.
  __device__ u32 place(u32 y) const { return base() + (upper(y, mul) >> (rest >> 16)); }
};

// Draws are those of all members. Each of a warp's lanes may ask for another one: the three arrays
// have a bank of shared memory for every member.
struct Draws {
  u32 *numbers;  // 3 × kMembers

  __device__ void set(u32 member, const Draw &draw) const {
    numbers[member] = draw.cut;
    numbers[kMembers + member] = draw.mul;
    numbers[2 * kMembers + member] = draw.rest;
  }
  __device__ Draw get(u32 member) const {
    return Draw(numbers[member], numbers[kMembers + member], numbers[2 * kMembers + member]);
  }
};

// smoothTopic where all topics have the same prior.
__device__ u32 evenTopic(Pick p, u32 K) { return upper((p.y << 8 | (p.x & 255)) * 0x9E3779B1u, K); }

// The same number, of which the compiler does not know that it is: what was computed
// from it long ago is computed again instead of being kept in registers.
__device__ u32 again(u32 x) {
  asm volatile("" : "+r"(x));
  return x;
}

// Makes picked topics or tokens' numbers into topics. token is a topic and proposals.
template <u32 kSteps, class Whole>
__device__ Whole lookUp(Whole token, const u16 *topics) {
  Whole result = part(token, 0);
#pragma unroll
  for (u32 j = 0; j < kSteps; j++) {
    const u32 picked = part(token, 1 + j), found = topics[picked & kIsPlace ? picked ^ kIsPlace : 0];
    result |= (Whole)(picked & kIsPlace ? found : picked) << (16 * (1 + j));
  }
  return result;
}
