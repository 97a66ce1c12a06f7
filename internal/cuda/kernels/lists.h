// The list of a document's topics, made and kept up to date by the lanes of a team. Portable Go: docLists in
// internal/sampler/batch.
#pragma once
#include "batch.h"

// Team is lanes of a warp that draw the tokens of one document. The teams of a warp go in step: all of them call
// everything together, those that have nothing to do as well.
template <u32 kSize>
struct Team {
  static __device__ u32 lane() { return laneInWarp() % kSize; }
  static __device__ u32 first() { return laneInWarp() - lane(); }
  static __device__ u32 number() { return laneInWarp() / kSize; }

  // The lanes of the team in which the condition holds, as bits, and how many they are.
  static __device__ u32 where(bool condition) {
    const u32 all = lanesWhere(condition);
    return kSize == kLanes ? all : all >> first() & (0xffffffffu >> (kLanes - kSize));
  }
  static __device__ u32 count(bool condition) { return __builtin_popcount(where(condition)); }

  // Of those lanes, how many are before this one.
  static __device__ u32 before(u32 lanes) { return __builtin_popcount(lanes & ((1u << lane()) - 1)); }

  // Whether a condition that is the same in all lanes of a team holds in any team.
  static __device__ bool any(bool condition) { return kSize == kLanes ? condition : anyLane(condition); }

  // The value that another lane of the team holds.
  template <class T>
  static __device__ T from(T value, u32 lane) {
    return fromLane(value, first() + lane);
  }

  // Prefix sums in runs of 16 lanes, to which the last sum of the run before is added: prefixRuns.
  static __device__ float prefix(float p, float before) {
    const u32 at = laneInWarp();
#pragma unroll
    for (u32 s = 1; s < 16; s *= 2) {
      const float other = fromLane(p, at - s);
      if (at % 16 >= s) p += other;
    }
    if (kSize == 16) return p + before;
    if (at < 16) p += before;
    const float low = fromLane(p, 15);
    return at < 16 ? p : p + low;
  }

  // Sum over the lanes, of whole numbers.
  static __device__ u64 sum(u64 x) {
#pragma unroll
    for (u32 s = 1; s < kSize; s *= 2)
      x += __builtin_bit_cast(u64, fromLaneXor(__builtin_bit_cast(double, x), s));
    return x;
  }
};

// Entry is a topic of a document, but for its number.
struct alignas(8) Entry {
  u32 count;  // n_dk
  float inv;  // inv_k
};

// Room is where a team has a list, in shared memory or beyond.
struct Room {
  u32 most;        // entries
  Entry *entries;  // most
  u32 *matches;    // most: entries that the word has too: place in the list << 16 | topic
  float *sums;     // most: prefix sums of their weights
  u16 *topics;     // most

  // memory has kRoomBytes for each entry; most is even.
  __device__ Room(u32 *memory, u32 most)
      : most(most),
        entries((Entry *)memory),
        matches(memory + 2 * most),
        sums((float *)memory + 3 * most),
        topics((u16 *)(memory + 4 * most)) {}
};

const u32 kThreads = 128;  // of a block that draws
const u32 kRoomBytes = 18;  // of each entry that a list has room for

const u64 kWholeBits = 40;  // of the largest Q_k: wholeBits

const u32 kNoPlace = 0xffffffffu;

// Frozen is what does not change while a mini-batch is drawn: listRound. groups are whole groups of 32 topics.
struct Frozen {
  const u32 *nwk;       // V × pad
  const u32 *bits;      // V × 32: bit k mod 1024 is set if n_wk > 0
  const float *sums;    // V × groups: S_g
  const float *totals;  // V: S_w
  const float *inv;     // pad: 1/(n_k + Vβ), 0 beyond K
  const float *smooth;  // pad: α_k inv_k
  const u64 *whole;     // K: Q_k
  float restScale, beta;
  u32 K, pad;
};

// Tokens are those of all documents, in drawing order.
struct Tokens {
  const u32 *words;
  const u32 *positions;  // in the grid
  u16 *topics;           // replaced
  u16 *old;              // topics before the mini-batch
};

// Listed is a team's document.
template <u32 kSize>
struct Listed {
  typedef Team<kSize> T;
  u32 length;  // topics
  u64 sum;     // Σ n_dk Q_k

  // Lists the topics of tokens from … to-1 in the order in which they first occur, and copies them to old. If the
  // room of any team does not suffice, the result is false.
  __device__ bool fill(const Frozen &f, const Tokens &tokens, const Room &room, u32 from, u32 to) {
    length = 0;
    u64 part = 0;
    for (u32 at = from; T::any(at < to); at += kSize) {
      const u32 token = at + T::lane();
      const bool has = token < to;
      const u32 k = has ? tokens.topics[token] : kNoPlace;
      if (has) {
        tokens.old[token] = k;
        part += f.whole[k];
      }
      u32 place = kNoPlace;
      for (u32 i = 0; T::any(i < length); i++)
        if (i < length && room.topics[i] == k) place = i;
      if (!append(f, room, has && place == kNoPlace, k, place)) return false;
      syncWarp();
      if (has) atomicAdd(&room.entries[place].count, 1);
      syncWarp();
    }
    sum = T::sum(part);
    return true;
  }

  // Gives the topics of lanes that have fresh ones a place each, in the order of lanes.
  __device__ bool append(const Frozen &f, const Room &room, bool fresh, u32 k, u32 &place) {
    for (u32 lanes = T::where(fresh); T::any(lanes != 0); lanes = T::where(fresh)) {
      if (T::any(lanes != 0 && length == room.most)) return false;
      const u32 leader = lanes == 0 ? 0 : __builtin_ctz(lanes);
      const u32 topic = T::from(k, leader);
      if (fresh && topic == k) {
        place = length;
        fresh = false;
        if (T::lane() == leader) {
          room.topics[place] = k;
          room.entries[place] = {0, f.inv[k]};
        }
      }
      if (lanes != 0) length++;
    }
    return true;
  }

  // The place of a topic in the list, or its length. Teams that are off find nothing.
  __device__ u32 find(const Room &room, bool on, u32 k) const {
    u32 place = length;
    for (u32 c = 0; T::any(on && c < length && place == length); c += kSize) {
      const u32 i = c + T::lane();
      const u32 lanes = T::where(on && i < length && room.topics[i] == k);
      if (lanes != 0) place = c + __builtin_ctz(lanes);
    }
    return place;
  }

  // Moves a token from the entry own to the entry at place, which is new if it is the first behind the list. An
  // entry that has come to 0 is replaced by the last.
  __device__ void move(const Frozen &f, const Room &room, bool on, u32 old, u32 own, u32 k, u32 place) {
    syncWarp();
    u32 n = length;
    if (on && T::lane() == 0) {
      if (place == n) {
        room.topics[place] = k;
        room.entries[place] = {1, f.inv[k]};
        n++;
      } else {
        room.entries[place].count++;
      }
      if (--room.entries[own].count == 0) {
        n--;
        room.topics[own] = room.topics[n];
        room.entries[own] = room.entries[n];
      }
    }
    if (on) sum += f.whole[k] - f.whole[old];
    length = T::from(n, 0);
    syncWarp();
  }

  // Copies the list to a larger room.
  __device__ void carry(const Room &from, const Room &to) const {
    for (u32 c = 0; T::any(c < length); c += kSize) {
      const u32 i = c + T::lane();
      if (i < length) {
        to.topics[i] = from.topics[i];
        to.entries[i] = from.entries[i];
      }
    }
    syncWarp();
  }
};
