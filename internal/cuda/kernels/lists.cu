// lists: exact draws over the topics that a document and a word share. Portable Go and the definition: lists_draw.go
// and lists_round.go in internal/sampler/batch; every float is rounded as there.
//
// A warp draws a document's tokens one after the other. Its list lies in shared memory while it is short enough, else
// in scratch. Tokens are in drawing order: document after document, inside a document by increasing grid position.
// What is frozen is made before by lists_round.cu; n_wk and n_k follow the draws in batch_update (batch.cu).
#include "lists.h"

// Mask is the bits of a word, 32 in each lane.
struct Mask {
  u32 bits;

  __device__ Mask(const Frozen &f, u32 word) : bits(readOnly(f.bits + word * (u64)kLanes + laneInWarp())) {}
  __device__ bool has(u32 k) const { return __builtin_rotateright32(fromLane(bits, k / 32 % kLanes), k) & 1; }
};

// Handful is up to 32 tokens of a document, one in each lane.
struct Handful {
  u32 n, word, topic, position;

  __device__ Handful(const Tokens &tokens, u32 from, u32 to)
      : n(from < to ? minimum(kLanes, to - from) : 0), word(0), topic(0), position(0) {
    const u32 token = from + laneInWarp();
    if (laneInWarp() < n) {
      word = tokens.words[token];
      topic = tokens.topics[token];
      position = tokens.positions[token];
    }
  }
};

const u32 kRounds = 3;  // runs of 32 matches that are read at once

// Token is a token that is drawn. What is read of old is used when all that is to be read is under way.
template <class R>
struct Token {
  const Frozen &f;
  const R &room;
  u32 word, old;
  float smooth;           // α_k inv_k of old
  u64 lost;               // its Q_k
  u32 length;             // of the list
  u32 matches;            // topics of the list that the word has too
  u32 own;                // the place of old in the list
  float all;              // M
  typename R::Sums sums;  // prefix sums of the weights of matches

  __device__ Token(const Frozen &f, const R &room, u32 word, u32 old, const Listed &doc)
      : f(f), room(room), word(word), old(old), smooth(readOnly(f.smooth + old)), lost(f.wholeOf(old)),
        length(doc.length), sums(room) {}

  // Step 1: which topics match. One does at least: old.
  __device__ void find(const Mask &mask) {
    matches = 0;
    syncWarp();
    R::template each<kLanes>(length, [&](u32 c) {
      const u32 i = c + laneInWarp();
      const bool match = mask.has(room.topics[i]) && i < length;
      const u32 lanes = lanesWhere(match);
      if (match) room.places[matches + lanesBefore(lanes)] = i;
      matches += __builtin_popcount(lanes);
    });
    syncWarp();
  }

  // Match is a match of each lane, or the first one in lanes beyond the last.
  struct Match {
    u32 k, n;       // the topic, and n_wk as cells has it
    float inDoc;    // n_dk inv_k without the token

    __device__ void read(const Token &t, u32 i, u32 &mine) {
      const u32 place = t.room.places[i < t.matches ? i : 0];
      k = t.room.topics[place];
      n = t.f.cell(t.word, k);
      const Entry e = t.room.entries[place];
      inDoc = (k == t.old ? e.count - 1 : e.count) * e.inv;
      if (k == t.old) mine = place;
    }
    __device__ float weight(const Token &t) const {
      const u32 all = n < 0xffff ? n : t.f.count(t.word, k);
      return inDoc * (float)(k == t.old ? all - 1 : all);
    }
  };

  // Step 1: the weights of matches, as prefix sums.
  __device__ void weigh() {
    all = 0;
    u32 mine = kNoPlace;
    R::template each<kRounds * kLanes>(matches, [&](u32 c) {
      Match m[kRounds];
#pragma unroll
      for (u32 r = 0; r < kRounds; r++)
        if (r == 0 || c + r * kLanes < matches) m[r].read(*this, c + r * kLanes + laneInWarp(), mine);
#pragma unroll
      for (u32 r = 0; r < kRounds; r++) {
        const u32 at = c + r * kLanes;
        if (r > 0 && at >= matches) break;
        const float x = m[r].weight(*this), p = prefixRuns(at + laneInWarp() < matches ? x : 0, all);
        sums.put(at, p);
        all = fromLane(p, kLanes - 1);
      }
    });
    own = fromLane(mine, __builtin_ctz(lanesWhere(mine != kNoPlace)));
  }

  // Step 3: the place of the match at t.
  __device__ u32 pickMatch(float t) const {
    u32 passed = 0;
    R::template each<kLanes>(matches, [&](u32 c) {
      passed += countLanes(sums.get(c) <= t && c + laneInWarp() + 1 < matches);
    });
    return room.places[passed];
  }

  // Step 4: the topic at r of the word part.
  __device__ u32 pickWord(float r) const {
    const u32 groups = f.pad / kLanes, from = old / kLanes;
    const float *running = f.sums + word * (u64)groups;
    u32 g = 0;
    for (u32 c = 0; c + 1 < groups; c += kLanes) {
      const u32 i = c + laneInWarp();
      const float s = i + 1 < groups ? readOnly(running + i) : 0;
      g += countLanes(i + 1 < groups && (i >= from ? s - smooth : s) <= r);
    }
    if (g > 0) {
      const float s = readOnly(running + g - 1);
      r -= g > from ? s - smooth : s;
    }
    const u32 first = g * kLanes, k = first + laneInWarp(), last = minimum(kLanes, f.K - first) - 1;
    const float x = readOnly(f.smooth + k) * ((float)(f.exact(word, k) - (k == old)) + f.beta);
    return first + countLanes(prefix32(x) <= r && laneInWarp() < last);
  }

  // Step 5: the place in the list at r of the rest.
  __device__ u32 pickRest(float r) const {
    float before = 0;
    u32 passed = 0;
    for (u32 c = 0; c < length; c += kLanes) {
      const u32 i = c + laneInWarp();
      const Entry e = room.entries[i];
      const float x = (i == own ? e.count - 1 : e.count) * e.inv * f.beta, p = prefixRuns(i < length ? x : 0, before);
      before = fromLane(p, kLanes - 1);
      passed += countLanes(p <= r && i + 1 < length);
    }
    return passed;
  }

  // Steps 2 to 5 with the random number u. The document is brought up to date; the result is the topic.
  __device__ u32 choose(Listed &doc, float total, float u) const {
    const float part = total - smooth, rest = (float)(long long)(doc.sum + doc.gained - lost) * f.restScale;
    const float t = u * ((all + part) + rest), r = t - all;
    u32 k, place;
    if (t < all) {
      place = pickMatch(t);
      k = room.topics[place];
    } else if (r < part) {
      k = pickWord(r);
      place = doc.find(room, k);
    } else {
      place = pickRest(r - part);
      k = room.topics[place];
    }
    if (k != old) doc.move(f, room, own, lost, k, place);
    return k;
  }
};

// Draws tokens from … to-1 of a document, or up to the first for which room may not suffice. The result is that
// token, or to.
template <class R>
__device__ u32 drawListed(const Frozen &f, const Tokens &tokens, const Placed &random, const R &room, Listed &doc,
                          u32 from, u32 to) {
  bool full = false;
  Handful few(tokens, from, to);
  while (!full && from < to) {
    const float number = random.at(few.position), total = readOnly(f.totals + few.word);
    Mask mask(f, fromLane(few.word, 0));
    const Handful next(tokens, from + kLanes, to);
    u32 i = 0;
    for (; i < few.n; i++) {
      full = doc.length == room.most;
      if (full) break;
      Token<R> token(f, room, fromLane(few.word, i), fromLane(few.topic, i), doc);
      token.find(mask);
      mask = Mask(f, fromLane(few.word, (i + 1) % kLanes));
      token.weigh();
      const u32 k = token.choose(doc, fromLane(total, i), fromLane(number, i));
      if (laneInWarp() == i) few.topic = k;
    }
    if (laneInWarp() < i) tokens.topics[from + laneInWarp()] = few.topic;
    from += i;
    few = next;
  }
  syncWarp();
  return from;
}

// Draws the documents turns[first] … turns[last-1], which warps take from queue, which is zero before. A warp has room
// for near topics in shared memory and for far in scratch.
extern "C" __global__ void __launch_bounds__(kThreads, 10)
    lists_draw(const u32 *words, const u32 *positions, u16 *topics, u16 *old, const u32 *nwk, const u16 *cells,
               const u32 *bits, const float *sums, const float *totals, const float *inv, const float *smooth,
               const u64 *whole, const float *restScale, u32 beta, u32 K, u32 pad, const u32 *offsets,
               const u32 *turns, u32 first, u32 last, u32 *queue, u32 *scratch, u32 near, u32 far, u32 k0, u32 k1,
               u32 iteration, u32 purpose) {
  const Frozen f{nwk,   cells, bits,       sums, totals, inv, smooth,
                 whole, *restScale, __builtin_bit_cast(float, beta), K, pad};
  const Tokens tokens{words, positions, topics, old};
  const Placed random{positions, 0, {k0, k1}, iteration, purpose};
  const Near here(dynamicShared + threadInBlock() / kLanes * (near / 4 * kNearBytes), near);
  const Far there(scratch + threadInGrid() / kLanes * (u64)(far / 4 * kFarBytes), far);
  for (;;) {
    u32 at = 0;
    if (laneInWarp() == 0) at = first + fetchAdd(queue, 1);
    at = fromLane(at, 0);
    if (at >= last) break;
    u32 from = offsets[turns[at]];
    const u32 to = offsets[turns[at] + 1];
    Listed doc;
    if (doc.fill(f, tokens, here, from, to)) {
      from = drawListed(f, tokens, random, here, doc, from, to);
      if (from == to) continue;
      doc.carry(here, there);
    } else {
      doc.fill(f, tokens, there, from, to);
    }
    drawListed(f, tokens, random, there, doc, from, to);
  }
}
