// lists: exact draws over the topics that a document and a word share. Portable Go and the definition: lists_draw.go
// and lists_round.go in internal/sampler/batch; every float is rounded as there.
//
// A team of lanes draws a document's tokens one after the other. Its list lies in shared memory while it is short
// enough, else in scratch. Tokens are in drawing order: document after document, inside a document by increasing grid
// position. What is frozen is made before by lists_round.cu; n_wk and n_k follow the draws in batch_update (batch.cu).
#include "lists.h"

// Mask is the bits of a word, spread over the lanes of a team.
template <u32 kSize>
struct Mask {
  static const u32 kNumbers = kLanes / kSize;  // of 32 bits in each lane
  u32 low, high;

  __device__ Mask(const Frozen &f, u32 word) {
    const u32 *bits = f.bits + word * (u64)kLanes + Team<kSize>::lane();
    low = readOnly(bits);
    high = kNumbers == 1 ? 0 : readOnly(bits + kSize);
  }

  __device__ bool has(u32 k) const {
    const u32 number = k / 32 % kLanes;
    u32 bits = Team<kSize>::from(low, number % kSize);
    if (kNumbers > 1) {
      const u32 upper = Team<kSize>::from(high, number % kSize);
      bits = number < kSize ? bits : upper;
    }
    return __builtin_rotateright32(bits, k) & 1;
  }
};

// Handful is up to kSize tokens of a document, one in each lane.
template <u32 kSize>
struct Handful {
  u32 n, word, topic, position;

  __device__ Handful(const Tokens &tokens, u32 from, u32 to)
      : n(from < to ? minimum(kSize, to - from) : 0), word(0), topic(0), position(0) {
    const u32 token = from + Team<kSize>::lane();
    if (Team<kSize>::lane() < n) {
      word = tokens.words[token];
      topic = tokens.topics[token];
      position = tokens.positions[token];
    }
  }
};

// Token is a token that is drawn.
template <u32 kSize, u32 kRounds, class R>
struct Token {
  typedef Team<kSize> T;
  const Frozen &f;
  const R &room;
  bool on;  // whether the team has a token
  u32 word, old;
  float smooth;           // α_k inv_k of old
  u64 lost;               // its Q_k
  u32 length;             // of the list; 0 if the team has none
  u32 matches;            // topics of the list that the word has too
  u32 own;                // the place of old in the list
  float all;              // M
  typename R::Sums sums;  // prefix sums of the weights of matches

  __device__ Token(const Frozen &f, const R &room, bool on, u32 word, u32 old, const Listed<kSize> &doc)
      : f(f), room(room), on(on), word(word), old(old), smooth(readOnly(f.smooth + old)), lost(f.wholeOf(old)),
        length(on ? doc.length : 0), sums(room) {}

  // Step 1: which topics match.
  __device__ void find(const Mask<kSize> &mask) {
    matches = 0;
    syncWarp();
    R::template each<kSize>(length, [&](u32 c) {
      const u32 i = c + T::lane();
      const bool match = mask.has(room.topics[i]) && i < length;
      const u32 lanes = T::where(match);
      if (match) room.places[matches + T::before(lanes)] = i;
      matches += __builtin_popcount(lanes);
    });
    syncWarp();
  }

  // Match is a match of each lane, or the first one in lanes beyond the last. What it reads is used when all that is to be
  // read at once is under way.
  struct Match {
    u32 place, k, n;
    Entry entry;

    __device__ void read(const Token &t, u32 i) {
      place = t.room.places[i < t.matches ? i : 0];
      k = t.room.topics[place];
      n = t.f.cell(t.word, k);
      entry = t.room.entries[place];
    }
    __device__ float weight(const Token &t) const {
      const u32 all = n < 0xffff ? n : t.f.count(t.word, k);
      return k == t.old ? (entry.count - 1) * entry.inv * (float)(all - 1) : entry.count * entry.inv * (float)all;
    }
  };

  // Step 1: the weights of matches, as prefix sums.
  __device__ void weigh() {
    all = 0;
    u32 mine = kNoPlace;
    R::template each<kRounds * kSize>(matches, [&](u32 c) {
      Match m[kRounds];
#pragma unroll
      for (u32 r = 0; r < kRounds; r++) m[r].read(*this, c + r * kSize + T::lane());
#pragma unroll
      for (u32 r = 0; r < kRounds; r++) {
        const u32 at = c + r * kSize;
        if (r > 0 && !T::any(at < matches)) break;
        const bool there = at + T::lane() < matches;
        const float x = m[r].weight(*this), p = T::prefix(there ? x : 0, all);
        if (there && m[r].k == old) mine = m[r].place;
        sums.put(at, p);
        all = T::from(p, kSize - 1);
      }
    });
    const u32 lanes = T::where(mine != kNoPlace);
    own = T::from(mine, lanes == 0 ? 0 : __builtin_ctz(lanes));
  }

  // Step 3: the place of the match at t.
  __device__ u32 pickMatch(float t) const {
    u32 passed = 0;
    R::template each<kSize>(matches, [&](u32 c) {
      passed += T::count(c + T::lane() + 1 < matches && sums.get(c) <= t);
    });
    return room.places[passed];
  }

  // Step 4: the topic at r of the word part.
  __device__ u32 pickWord(float r) const {
    const u32 groups = f.pad / kLanes, from = old / kLanes;
    const float *running = f.sums + word * (u64)groups;
    u32 g = 0;
    for (u32 c = 0; c + 1 < groups; c += kSize) {
      const u32 i = c + T::lane();
      const float s = i + 1 < groups ? readOnly(running + i) : 0;
      g += T::count(i + 1 < groups && (i >= from ? s - smooth : s) <= r);
    }
    if (g > 0) {
      const float s = readOnly(running + g - 1);
      r -= g > from ? s - smooth : s;
    }
    const u32 first = g * kLanes, last = minimum(kLanes, f.K - first) - 1;
    float before = 0;
    u32 passed = 0;
#pragma unroll
    for (u32 c = 0; c < kLanes; c += kSize) {
      const u32 i = c + T::lane(), k = first + i;
      const float p = T::prefix(readOnly(f.smooth + k) * ((float)(f.exact(word, k) - (k == old)) + f.beta), before);
      before = T::from(p, kSize - 1);
      passed += T::count(i < last && p <= r);
    }
    return first + passed;
  }

  // Step 5: the place in the list at r of the rest.
  __device__ u32 pickRest(float r) const {
    float before = 0;
    u32 passed = 0;
    for (u32 c = 0; T::any(c < length); c += kSize) {
      const u32 i = c + T::lane();
      const Entry e = room.entries[i];
      const float x = (i == own ? e.count - 1 : e.count) * e.inv * f.beta, p = T::prefix(i < length ? x : 0, before);
      before = T::from(p, kSize - 1);
      passed += T::count(i + 1 < length && p <= r);
    }
    return passed;
  }

  // Steps 2 to 5 with the random number u. The document is brought up to date; the result is the topic.
  __device__ u32 choose(Listed<kSize> &doc, float total, float u) const {
    const float part = total - smooth, rest = (float)(long long)(doc.sum + doc.gained - lost) * f.restScale;
    const float t = u * ((all + part) + rest), r = t - all;
    const bool byMatch = on && t < all, byWord = on && !byMatch && r < part, byRest = on && !byMatch && !byWord;
    u32 k = old, place = own;
    if (T::any(byMatch)) {
      const u32 at = pickMatch(t);
      if (byMatch) k = room.topics[at], place = at;
    }
    if (T::any(byWord)) {
      const u32 topic = pickWord(r), at = doc.find(room, byWord, topic);
      if (byWord) k = topic, place = at;
    }
    if (T::any(byRest)) {
      const u32 at = pickRest(r - part);
      if (byRest) k = room.topics[at], place = at;
    }
    if (T::any(on && k != old)) doc.move(f, room, on && k != old, own, lost, k, place);
    return k;
  }
};

// Draws tokens from … to-1 of the teams' documents, or up to the first for which a room may not suffice. The
// result is that token, or to.
template <u32 kSize, u32 kRounds, class R>
__device__ u32 drawListed(const Frozen &f, const Tokens &tokens, const Placed &random, const R &room,
                          Listed<kSize> &doc, u32 from, u32 to) {
  typedef Team<kSize> T;
  bool full = false;
  Handful<kSize> few(tokens, from, to);
  while (!full && T::any(from < to)) {
    const float number = random.at(few.position), total = readOnly(f.totals + few.word);
    Mask<kSize> mask(f, T::from(few.word, 0));
    const Handful<kSize> next(tokens, from + kSize, to);
    u32 i = 0;
    for (; T::any(i < few.n); i++) {
      full = T::any(i < few.n && doc.length == room.most);
      if (full) break;
      Token<kSize, kRounds, R> token(f, room, i < few.n, T::from(few.word, i), T::from(few.topic, i), doc);
      token.find(mask);
      mask = Mask<kSize>(f, T::from(few.word, (i + 1) % kSize));
      token.weigh();
      const u32 k = token.choose(doc, T::from(total, i), T::from(number, i));
      if (T::lane() == i) few.topic = k;
    }
    const u32 drawn = minimum(i, few.n);
    if (T::lane() < drawn) tokens.topics[from + T::lane()] = few.topic;
    from += drawn;
    few = next;
  }
  syncWarp();
  return from;
}

// Draws the documents turns[first] … turns[last-1], which warps take from queue, which is zero before. A team has
// room for most entries in shared memory and for far in scratch.
template <u32 kSize, u32 kRounds>
__device__ void drawAll(const Frozen &f, const Tokens &tokens, const Placed &random, const u32 *offsets,
                        const u32 *turns, u32 first, u32 last, u32 *queue, u32 *scratch, u32 most, u32 far) {
  typedef Team<kSize> T;
  const Near<kSize> near(dynamicShared + threadInBlock() / kSize * (most / 4 * kNearBytes), most);
  const Far<kSize> beyond(scratch + threadInGrid() / kSize * (u64)(far / 4 * kFarBytes), far);
  if (T::lane() == 0) { // a team without a document reads the first entry as well
    near.topics[0] = near.places[0] = 0;
    beyond.topics[0] = beyond.places[0] = 0;
  }
  syncWarp();
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = first + fetchAdd(queue, kLanes / kSize);
    at = fromLane(at, 0);
    if (at >= last) break;
    at += T::number();
    u32 from = 0, to = 0;
    if (at < last) {
      const u32 doc = turns[at];
      from = offsets[doc];
      to = offsets[doc + 1];
    }
    Listed<kSize> doc;
    if (doc.fill(f, tokens, near, from, to)) {
      from = drawListed<kSize, kRounds>(f, tokens, random, near, doc, from, to);
      if (!T::any(from < to)) continue;
      doc.carry(near, beyond);
    } else {
      doc.fill(f, tokens, beyond, from, to);
    }
    drawListed<kSize, kRounds>(f, tokens, random, beyond, doc, from, to);
  }
}

#define DRAW(NAME, ROUNDS, BLOCKS)                                                                                     \
  extern "C" __global__ void __launch_bounds__(kThreads, BLOCKS) lists_draw_##NAME(                                    \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const u32 *nwk, const u16 *cells, const u32 *bits, \
      const float *sums, const float *totals, const float *inv, const float *smooth, const u64 *whole,                 \
      const float *restScale, u32 beta, u32 K, u32 pad, const u32 *offsets, const u32 *turns, u32 first, u32 last,     \
      u32 *queue, u32 *scratch, u32 most, u32 far, u32 k0, u32 k1, u32 iteration, u32 purpose) {                       \
    const Frozen f{nwk, cells, bits,       sums, totals, inv, smooth, whole, *restScale, __builtin_bit_cast(float, beta), \
                   K, pad};                                                                                            \
    drawAll<NAME, ROUNDS>(f, {words, positions, topics, old}, {positions, 0, {k0, k1}, iteration, purpose}, offsets, turns, first, last, \
                  queue, scratch, most, far);                                                                          \
  }

DRAW(16, 2, 8)
DRAW(32, 2, 12)
