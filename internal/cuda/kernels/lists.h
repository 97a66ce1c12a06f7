// The list of a document's topics, made and kept up to date by the lanes of a team. Portable Go: docLists in
// internal/sampler/batch.
#pragma once
#include "batch_counts.h"

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

const u32 kNear = 192;     // topics of a list in shared memory, at most
const u32 kNearBytes = 11;  // of each topic that it has room for there
const u32 kFarBytes = 16;   // of each topic that a list in device memory has room for
const u32 kThreads = 128;   // of a block that draws

const u32 kNoPlace = 0xffffffffu;

// Entry is a topic of a document, but for its number.
struct alignas(8) Entry {
  float count;  // n_dk; a whole number while the list is made
  float inv;    // inv_k
};

// Near is where a team has a list in shared memory.
template <u32 kSize>
struct Near {
  u32 most;               // topics, at most kNear
  Entry *entries;         // most
  u16 *topics;            // most
  unsigned char *places;  // most: those in the list of topics that the word has too

  // memory has kNearBytes for each topic; most is a multiple of 32.
  __device__ Near(u32 *memory, u32 most)
      : most(most),
        entries((Entry *)memory),
        topics((u16 *)(memory + 2 * most)),
        places((unsigned char *)(topics + most)) {}

  // Sums is a number of each lane for each run of lanes.
  struct Sums {
    float of[kNear / kSize];

    __device__ Sums(const Near &) {}
    __device__ void put(u32 c, float x) { of[c / kSize] = x; }
    __device__ float get(u32 c) const { return of[c / kSize]; }
  };

  // Calls step with 0, kStep, 2 kStep, … as long as they are below n, which is at most most, in any team.
  template <u32 kStep, class F>
  static __device__ void each(u32 n, const F &step) {
#pragma unroll
    for (u32 c = 0; c < kNear; c += kStep) {
      if (!Team<kSize>::any(c < n)) break;
      step(c);
    }
  }
};

// Far is the same in device memory.
template <u32 kSize>
struct Far {
  u32 most;  // topics
  Entry *entries;
  float *sums;
  u16 *topics, *places;

  // memory has kFarBytes for each topic; most is a multiple of 32.
  __device__ Far(u32 *memory, u32 most)
      : most(most),
        entries((Entry *)memory),
        sums((float *)memory + 2 * most),
        topics((u16 *)(memory + 3 * most)),
        places(topics + most) {}

  struct Sums {
    float *of;

    __device__ Sums(const Far &far) : of(far.sums + Team<kSize>::lane()) {}
    __device__ void put(u32 c, float x) { of[c] = x; }
    __device__ float get(u32 c) const { return of[c]; }
  };

  template <u32 kStep, class F>
  static __device__ void each(u32 n, const F &step) {
    for (u32 c = 0; Team<kSize>::any(c < n); c += kStep) step(c);
  }
};

// Frozen is what does not change while a mini-batch is drawn: listRound. groups are whole groups of 32 topics.
struct Frozen {
  const u32 *nwk;       // V × pad
  const u16 *cells;     // V × pad: the same up to 65,534; 65,535 is any more
  const u32 *bits;      // V × 32: bit k mod 1024 is set if n_wk > 0
  const float *sums;    // V × groups: S_g
  const float *totals;  // V: S_w
  const float *inv;     // pad: 1/(n_k + Vβ), 0 beyond K
  const float *smooth;  // pad: α_k inv_k
  const u64 *whole;     // K: Q_k
  float restScale, beta;
  u32 K, pad;

  // n_wk, as cells has it, and itself.
  __device__ u32 cell(u32 word, u32 k) const { return readOnly(cells + word * (u64)pad + k); }
  __device__ u32 count(u32 word, u32 k) const { return readOnly(nwk + word * (u64)pad + k); }
  __device__ u32 exact(u32 word, u32 k) const {
    const u32 n = cell(word, k);
    return n < 0xffff ? n : count(word, k);
  }

  // Q_k.
  __device__ u64 wholeOf(u32 k) const { return __builtin_bit_cast(u64, readOnly((const double *)whole + k)); }
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
  u64 sum;     // Σ n_dk Q_k, but for gained
  u64 gained;  // Q_k of the last topic, which was read when it was drawn and is there when the next one is

  // Lists the topics of tokens from … to-1 in the order in which they first occur, and copies them to old. If the
  // room of any team does not suffice, the result is false.
  template <class R>
  __device__ bool fill(const Frozen &f, const Tokens &tokens, const R &room, u32 from, u32 to) {
    length = 0;
    u64 part = 0;
    for (u32 at = from; T::any(at < to); at += kSize) {
      const u32 token = at + T::lane();
      const bool has = token < to;
      const u32 k = has ? tokens.topics[token] : kNoPlace;
      if (has) {
        tokens.old[token] = k;
        part += f.wholeOf(k);
      }
      u32 place = search(room, k);
      if (!append(f, room, has && place == kNoPlace, k, place)) return false;
      syncWarp();
      if (has) atomicAdd((u32 *)&room.entries[place].count, 1);
      syncWarp();
    }
    for (u32 i = T::lane(); i < length; i += kSize)
      room.entries[i].count = (float)__builtin_bit_cast(u32, room.entries[i].count);
    syncWarp();
    sum = T::sum(part);
    gained = 0;
    return true;
  }

  // The place of a topic in the list, which each lane has one of, or none.
  template <class R>
  __device__ u32 search(const R &room, u32 k) const {
    u32 place = kNoPlace;
    for (u32 c = 0; T::any(c < length); c += 8) {
      const Four eight = *(const Four *)(room.topics + c);
#pragma unroll
      for (u32 i = 0; i < 8; i++) {
        const u32 topic = i % 2 ? eight.x[i / 2] >> 16 : eight.x[i / 2] & 0xffff;
        if (topic == k && c + i < length) place = c + i;
      }
    }
    return place;
  }

  // Gives the topics of lanes that have fresh ones a place each, in the order of lanes.
  template <class R>
  __device__ bool append(const Frozen &f, const R &room, bool fresh, u32 k, u32 &place) {
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
  template <class R>
  __device__ u32 find(const R &room, bool on, u32 k) const {
    u32 place = length;
    for (u32 c = 0; T::any(on && c < length && place == length); c += kSize) {
      const u32 i = c + T::lane();
      const u32 lanes = T::where(on && i < length && room.topics[i] == k);
      if (lanes != 0) place = c + __builtin_ctz(lanes);
    }
    return place;
  }

  // Moves a token from the entry own, whose Q_k is lost, to the entry at place, which is new if it is the first behind the list. An
  // entry that has come to 0 is replaced by the last.
  template <class R>
  __device__ void move(const Frozen &f, const R &room, bool on, u32 own, u64 lost, u32 k, u32 place) {
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
    if (on) {
      sum += gained - lost;
      gained = f.wholeOf(k);
    }
    length = T::from(n, 0);
    syncWarp();
  }

  // Copies the list to a larger room.
  __device__ void carry(const Near<kSize> &from, const Far<kSize> &to) const {
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
