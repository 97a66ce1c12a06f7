// The list of a document's topics, made and kept up to date by a warp. Portable Go: docLists in
// internal/sampler/batch.
#pragma once
#include "batch_counts.h"

// How many lanes the condition holds in, and of some lanes, as bits, how many are before this one.
__device__ u32 countLanes(bool condition) { return __builtin_popcount(lanesWhere(condition)); }
__device__ u32 lanesBefore(u32 lanes) { return __builtin_popcount(lanes & ((1u << laneInWarp()) - 1)); }

// Prefix sums in runs of 16 lanes, to each of which the last sum of the run before is added: prefixRuns.
__device__ float prefixRuns(float p, float before) {
  const u32 lane = laneInWarp();
#pragma unroll
  for (u32 s = 1; s < 16; s *= 2) {
    const float other = fromLane(p, lane - s);
    if (lane % 16 >= s) p += other;
  }
  if (lane < 16) p += before;
  const float low = fromLane(p, 15);
  return lane < 16 ? p : p + low;
}

// The sum over the lanes, of whole numbers.
__device__ u64 sumLanes(u64 x) {
#pragma unroll
  for (u32 s = 1; s < kLanes; s *= 2)
    x += __builtin_bit_cast(u64, fromLaneXor(__builtin_bit_cast(double, x), s));
  return x;
}

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

// Near is where a warp has a list in shared memory.
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
    float of[kNear / kLanes];

    __device__ Sums(const Near &) {}
    __device__ void put(u32 c, float x) { of[c / kLanes] = x; }
    __device__ float get(u32 c) const { return of[c / kLanes]; }
  };

  // Calls step with 0, kStep, 2 kStep, … as long as they are below n, which is at most most.
  template <u32 kStep, class F>
  static __device__ void each(u32 n, const F &step) {
#pragma unroll
    for (u32 c = 0; c < kNear; c += kStep) {
      if (c >= n) break;
      step(c);
    }
  }
};

// Far is the same in device memory.
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

    __device__ Sums(const Far &far) : of(far.sums + laneInWarp()) {}
    __device__ void put(u32 c, float x) { of[c] = x; }
    __device__ float get(u32 c) const { return of[c]; }
  };

  template <u32 kStep, class F>
  static __device__ void each(u32 n, const F &step) {
    for (u32 c = 0; c < n; c += kStep) step(c);
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

// Listed is the document of a warp.
struct Listed {
  u32 length;  // topics
  u64 sum;     // Σ n_dk Q_k, but for gained
  u64 gained;  // Q_k of the last topic, which was read when it was drawn and is there when the next one is

  // Lists the topics of tokens from … to-1 in the order in which they first occur, and copies them to old. The result
  // is false if room does not suffice.
  template <class R>
  __device__ bool fill(const Frozen &f, const Tokens &tokens, const R &room, u32 from, u32 to) {
    length = 0;
    u64 part = 0;
    for (u32 at = from; at < to; at += kLanes) {
      const u32 token = at + laneInWarp();
      const bool has = token < to;
      const u32 k = has ? tokens.topics[token] : kNoPlace;
      Entry entry{0, 0};  // read by all lanes at once
      u64 whole = 0;
      if (has) {
        tokens.old[token] = k;
        entry.inv = readOnly(f.inv + k);
        whole = f.wholeOf(k);
      }
      u32 place = search(room, k);
      syncWarp();  // before append writes behind the list, where search reads too
      if (!append(room, has && place == kNoPlace, k, entry, place)) return false;
      part += whole;
      syncWarp();
      if (has) atomicAdd((u32 *)&room.entries[place].count, 1);
      syncWarp();
    }
    for (u32 i = laneInWarp(); i < length; i += kLanes)
      room.entries[i].count = (float)__builtin_bit_cast(u32, room.entries[i].count);
    syncWarp();
    sum = sumLanes(part);
    gained = 0;
    return true;
  }

  // The place in the list of the topic that a lane has, or none.
  template <class R>
  __device__ u32 search(const R &room, u32 k) const {
    u32 place = kNoPlace;
    for (u32 c = 0; c < length; c += 8) {
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
  __device__ bool append(const R &room, bool fresh, u32 k, Entry entry, u32 &place) {
    for (u32 lanes = lanesWhere(fresh); lanes != 0; lanes = lanesWhere(fresh)) {
      if (length == room.most) return false;
      const u32 leader = __builtin_ctz(lanes), topic = fromLane(k, leader);
      if (fresh && topic == k) {
        place = length;
        fresh = false;
        if (laneInWarp() == leader) {
          room.topics[place] = k;
          room.entries[place] = entry;
        }
      }
      length++;
    }
    return true;
  }

  // The place of a topic in the list, or its length.
  template <class R>
  __device__ u32 find(const R &room, u32 k) const {
    for (u32 c = 0; c < length; c += kLanes) {
      const u32 i = c + laneInWarp(), lanes = lanesWhere(room.topics[i] == k && i < length);
      if (lanes != 0) return c + __builtin_ctz(lanes);
    }
    return length;
  }

  // Moves a token from the entry own, whose Q_k is lost, to the entry at place, which is new if it is the first behind
  // the list. An entry that has come to 0 is replaced by the last.
  template <class R>
  __device__ void move(const Frozen &f, const R &room, u32 own, u64 lost, u32 k, u32 place) {
    syncWarp();
    u32 n = length;
    if (laneInWarp() == 0) {
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
    sum += gained - lost;
    gained = f.wholeOf(k);
    length = fromLane(n, 0);
    syncWarp();
  }

  // Copies the list to a larger room.
  __device__ void carry(const Near &from, const Far &to) const {
    for (u32 i = laneInWarp(); i < length; i += kLanes) {
      to.topics[i] = from.topics[i];
      to.entries[i] = from.entries[i];
    }
    syncWarp();
  }
};
