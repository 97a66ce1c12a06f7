// lists: exact draws over the topics that a document and a word share. Portable Go and the definition: lists_draw.go
// and lists_round.go in internal/sampler/batch; every float is rounded as there.
//
// A team of lanes draws a document's tokens one after the other. Its list lies in shared memory while it is short
// enough, else in scratch. Tokens are in drawing order: document after document, inside a document by increasing grid
// position. n_wk is as it was before the mini-batch until batch_update (batch.cu).
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
    return bits >> k % 32 & 1;
  }
};

// Random is where random numbers come from: a token's by its grid position i is word i mod 4 of block i div 4.
struct Random {
  Key key;
  u32 iteration, purpose;

  __device__ float at(u32 i) const { return unitAt(philox(key, i / 4, iteration, purpose, 0), i); }
};

// Handful is up to kSize tokens of a document, one in each lane.
template <u32 kSize>
struct Handful {
  u32 n, word, topic;
  float random, total;

  __device__ Handful(const Frozen &f, const Tokens &tokens, const Random &numbers, u32 from, u32 to)
      : n(from < to ? minimum(kSize, to - from) : 0), word(0), topic(0), random(0) {
    const u32 token = from + Team<kSize>::lane();
    if (Team<kSize>::lane() < n) {
      word = tokens.words[token];
      topic = tokens.topics[token];
      random = numbers.at(tokens.positions[token]);
    }
    total = f.totals[word];
  }
};

// Token is a token that is drawn.
template <u32 kSize>
struct Token {
  typedef Team<kSize> T;
  const Frozen &f;
  const Room &room;
  bool on;  // whether the team has a token
  u32 word, old;
  const u32 *row;   // n_wk
  u32 length;       // of the list; 0 if the team has none
  u32 matches;      // entries of the list that the word has too
  u32 own;          // the place of old in the list
  bool many;        // whether a team has more matches than lanes, so that their sums are in memory
  float all, sums;  // M; the lane's prefix sum if there are not many

  __device__ Token(const Frozen &f, const Room &room, bool on, u32 word, u32 old, const Listed<kSize> &doc)
      : f(f), room(room), on(on), word(word), old(old), row(f.nwk + word * (u64)f.pad), length(on ? doc.length : 0) {}

  // Step 1: which entries match.
  __device__ void find(const Mask<kSize> &mask) {
    matches = 0;
    for (u32 c = 0; T::any(c < length); c += kSize) {
      const u32 i = c + T::lane();
      const bool there = i < length;
      const u32 k = there ? room.topics[i] : 0;
      const bool match = mask.has(k) && there;
      const u32 lanes = T::where(match);
      if (match) room.matches[matches + T::before(lanes)] = i << 16 | k;
      matches += __builtin_popcount(lanes);
    }
    syncWarp();
  }

  // Step 1: their weights, as prefix sums.
  __device__ void weigh() {
    many = T::any(matches > kSize);
    all = 0;
    u32 mine = kNoPlace;
    for (u32 c = 0; T::any(c < matches); c += kSize) {
      const u32 i = c + T::lane();
      float x = 0;
      if (i < matches) {
        const u32 match = room.matches[i], k = match & 0xffff, is = k == old;
        const Entry e = room.entries[match >> 16];
        x = (float)(e.count - is) * e.inv * (float)(readOnly(row + k) - is);
        if (is) mine = match >> 16;
      }
      sums = T::prefix(x, all);
      if (many && i < matches) room.sums[i] = sums;
      all = T::from(sums, kSize - 1);
    }
    const u32 lanes = T::where(mine != kNoPlace);
    own = T::from(mine, lanes == 0 ? 0 : __builtin_ctz(lanes));
  }

  // Step 3: the match at t, as Room has it.
  __device__ u32 pickMatch(float t) const {
    u32 passed = 0;
    if (many) {
      for (u32 c = 0; T::any(c + 1 < matches); c += kSize) {
        const u32 i = c + T::lane();
        passed += T::count(i + 1 < matches && room.sums[i] <= t);
      }
    } else {
      passed = T::count(T::lane() + 1 < matches && sums <= t);
    }
    return room.matches[passed];
  }

  // Step 4: the topic at r of the word part.
  __device__ u32 pickWord(float r, float smooth) const {
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
      const float p = T::prefix(readOnly(f.smooth + k) * ((float)(readOnly(row + k) - (k == old)) + f.beta), before);
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
      float x = 0;
      if (i < length) {
        const Entry e = room.entries[i];
        x = (float)(e.count - (i == own)) * e.inv * f.beta;
      }
      const float p = T::prefix(x, before);
      before = T::from(p, kSize - 1);
      passed += T::count(i + 1 < length && p <= r);
    }
    return passed;
  }

  // Steps 2 to 5 with the random number u. The document is brought up to date; the result is the topic.
  __device__ u32 choose(Listed<kSize> &doc, float total, float u) const {
    const float smooth = readOnly(f.smooth + old), part = total - smooth;
    const float rest = (float)(long long)(doc.sum - f.whole[old]) * f.restScale;
    const float t = u * ((all + part) + rest), r = t - all;
    const bool byMatch = on && t < all, byWord = on && !byMatch && r < part, byRest = on && !byMatch && !byWord;
    u32 k = old, place = own;
    if (T::any(byMatch)) {
      const u32 match = pickMatch(t);
      if (byMatch) k = match & 0xffff, place = match >> 16;
    }
    if (T::any(byWord)) {
      const u32 topic = pickWord(r, smooth), at = doc.find(room, byWord, topic);
      if (byWord) k = topic, place = at;
    }
    if (T::any(byRest)) {
      const u32 at = pickRest(r - part);
      if (byRest) k = room.topics[at], place = at;
    }
    if (T::any(on && k != old)) doc.move(f, room, on && k != old, old, own, k, place);
    return k;
  }
};

// Draws tokens from … to-1 of the teams' documents, or up to the first for which a room may not suffice. The
// result is that token, or to.
template <u32 kSize>
__device__ u32 drawListed(const Frozen &f, const Tokens &tokens, const Random &random, const Room &room,
                          Listed<kSize> &doc, u32 from, u32 to) {
  typedef Team<kSize> T;
  bool full = false;
  while (!full && T::any(from < to)) {
    Handful<kSize> few(f, tokens, random, from, to);
    Mask<kSize> mask(f, T::from(few.word, 0));
    u32 i = 0;
    for (; T::any(i < few.n); i++) {
      full = T::any(i < few.n && doc.length == room.most);
      if (full) break;
      Token<kSize> draw(f, room, i < few.n, T::from(few.word, i), T::from(few.topic, i), doc);
      draw.find(mask);
      mask = Mask<kSize>(f, T::from(few.word, (i + 1) % kSize));
      draw.weigh();
      const u32 k = draw.choose(doc, T::from(few.total, i), T::from(few.random, i));
      if (T::lane() == i) few.topic = k;
    }
    const u32 drawn = minimum(i, few.n);
    if (T::lane() < drawn) tokens.topics[from + T::lane()] = few.topic;
    from += drawn;
  }
  syncWarp();
  return from;
}

// Draws the documents turns[first] … turns[last-1], which warps take from queue, which is zero before. A team has
// room for most entries in shared memory and for far in scratch.
template <u32 kSize>
__device__ void drawAll(const Frozen &f, const Tokens &tokens, const Random &random, const u32 *offsets,
                        const u32 *turns, u32 first, u32 last, u32 *queue, u32 *scratch, u32 most, u32 far) {
  typedef Team<kSize> T;
  const Room near(dynamicShared + threadInBlock() / kSize * (most / 2 * (kRoomBytes / 2)), most);
  const Room beyond(scratch + threadInGrid() / kSize * (u64)(far / 2 * (kRoomBytes / 2)), far);
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
      from = drawListed(f, tokens, random, near, doc, from, to);
      if (!T::any(from < to)) continue;
      doc.carry(near, beyond);
    } else {
      doc.fill(f, tokens, beyond, from, to);
    }
    drawListed(f, tokens, random, beyond, doc, from, to);
  }
}

#define DRAW(NAME, BLOCKS)                                                                                             \
  extern "C" __global__ void __launch_bounds__(kThreads, BLOCKS) lists_draw_##NAME(                                    \
      const u32 *words, const u32 *positions, u16 *topics, u16 *old, const u32 *nwk, const u32 *bits,                  \
      const float *sums, const float *totals, const float *inv, const float *smooth, const u64 *whole,                 \
      const float *restScale, u32 beta, u32 K, u32 pad, const u32 *offsets, const u32 *turns, u32 first, u32 last,     \
      u32 *queue, u32 *scratch, u32 most, u32 far, u32 k0, u32 k1, u32 iteration, u32 purpose) {                       \
    const Frozen f{nwk,   bits,       sums, totals, inv, smooth, whole, *restScale, __builtin_bit_cast(float, beta),   \
                   K, pad};                                                                                            \
    drawAll<NAME>(f, {words, positions, topics, old}, {{k0, k1}, iteration, purpose}, offsets, turns, first, last,     \
                  queue, scratch, most, far);                                                                          \
  }

DRAW(16, 8)
DRAW(32, 10)

// The sum over the lanes: draw32.Sum.
__device__ float sum32(float x) {
#pragma unroll
  for (u32 s = 1; s < kLanes; s *= 2) x += fromLaneXor(x, s);
  return x;
}

// What the mini-batch takes from n_k, by one block of threads, with a number of shared memory for each: listRound.begin.
// The number of threads is a power of two.
extern "C" __global__ void __launch_bounds__(1024, 1)
    lists_begin(const u32 *nk, const float *alpha, u32 K, u32 pad, u64 vbetaBits, u64 betaBits, float *inv,
                float *smooth, u64 *whole, float *base, float *restScale) {
  const double vbeta = __builtin_bit_cast(double, vbetaBits), beta = __builtin_bit_cast(double, betaBits);
  const u32 thread = threadInBlock(), threads = threadsPerBlock();
  u32 least = 0xffffffffu;
  for (u32 k = thread; k < K; k += threads) least = minimum(least, nk[k]);
  dynamicShared[thread] = least;
  syncBlock();
  for (u32 s = threads / 2; s > 0; s /= 2) {
    if (thread < s) dynamicShared[thread] = minimum(dynamicShared[thread], dynamicShared[thread + s]);
    syncBlock();
  }
  // The largest inv_k is below 2^(exponent-1022) and not below half of it.
  const u64 exponent = __builtin_bit_cast(u64, 1 / ((double)dynamicShared[0] + vbeta)) >> 52;
  const double factor = __builtin_bit_cast(double, (kWholeBits + 1022 - exponent + 1023) << 52);
  for (u32 k = thread; k < K; k += threads) {
    const double exact = 1 / ((double)nk[k] + vbeta);
    inv[k] = (float)exact;
    smooth[k] = alpha[k] * (float)exact;
    whole[k] = (u64)__builtin_rint(exact * factor);
  }
  if (thread == 0) *restScale = (float)(beta / factor);
  syncBlock();
  for (u32 g = thread / kLanes; g < pad / kLanes; g += threads / kLanes) {
    const float sum = sum32(smooth[g * kLanes + laneInWarp()] * (float)beta);
    if (laneInWarp() == 0) base[g] = sum;
  }
}

const u32 kAhead = 8;  // groups of a row that are read at once; divides 32

// What it takes from the rows of n_wk, by a warp for each word: listRound.prepareGo.
extern "C" __global__ void __launch_bounds__(256, 8)
    lists_words(const u32 *nwk, const float *smooth, const float *base, u32 V, u32 pad, u32 beta, u32 *bits,
                float *sums, float *totals) {
  const u32 lane = laneInWarp(), groups = pad / kLanes;
  const float b = __builtin_bit_cast(float, beta);
  for (u32 w = threadInGrid() / kLanes; w < V; w += threadsPerGrid() / kLanes) {
    const u32 *row = nwk + w * (u64)pad + lane;
    u32 has = 0;
    float sum = 0, mine = 0;  // of the lane's group, one of 32
    for (u32 c = 0; c < groups; c += kAhead) {
      u32 n[kAhead];
#pragma unroll
      for (u32 i = 0; i < kAhead; i++) n[i] = c + i < groups ? readOnly(row + (c + i) * kLanes) : 0;
#pragma unroll
      for (u32 i = 0; i < kAhead; i++) {
        const u32 g = c + i, here = lanesWhere(n[i] > 0);
        if (g >= groups) break;
        if (here == 0)
          sum += readOnly(base + g);
        else
          sum += sum32(readOnly(smooth + g * kLanes + lane) * ((float)n[i] + b));
        if (lane == g % kLanes) {
          has |= here;
          mine = sum;
        }
      }
      const u32 end = minimum(c + kAhead, groups), from = (end - 1) / kLanes * kLanes;
      if ((end % kLanes == 0 || end == groups) && from + lane < groups) sums[w * (u64)groups + from + lane] = mine;
    }
    bits[w * (u64)kLanes + lane] = has;
    if (lane == 0) totals[w] = sum;
  }
}
