// warp's word phase of groups of words that are not hot, whatever K (see warp_words.h). A
// block of threads holds a group's topics in shared memory, sorted by word and topic: a
// word's share of that list is its row. Place r of the row is its entry r, and a count is
// the distance between two places that a search finds. So the work for a token does not
// depend on K, nor on whether its group is 64 words of 30 tokens or one of 2,000.
#pragma once
#include "warp_words.h"

const u32 kTopicBits = 20;     // of an entry; the word's number in its group is above them
const u32 kGroupWords = 1024;  // the most words of a group; they follow each other, and some may have no tokens

// SortedRow is a word's row.
struct SortedRow {
  const u32 *entries;  // n
  u32 n, word;         // word: its number in the group, above the bits of topics

  // The first place whose entry is not below one; places before `from` are known to be.
  __device__ u32 place(u32 entry, u32 from) const {
    u32 low = from, high = n;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (entries[middle] < entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  __device__ u32 count(u32 k) const {
    const u32 first = place(word | k, 0);
    if (first == n || entries[first] != (word | k)) return 0;
    u32 reach = 1;  // most topics that occur do so few times
    while (first + reach < n && entries[first + reach] == (word | k)) reach *= 2;
    return SortedRow{entries, minimum(first + reach, n), word}.place((word | k) + 1, first + reach / 2) - first;
  }
  __device__ u32 topic(u32 r, u32) const { return entries[r] & ((1u << kTopicBits) - 1); }
};

// Puts the smaller of two entries first; the second may be beyond the last one.
__device__ void order(u32 *entries, u32 first, u32 second, u32 n) {
  if (second >= n) return;
  const u32 a = entries[first], b = entries[second];
  if (a <= b) return;
  entries[first] = b;
  entries[second] = a;
}

// Sorts entries by the whole block, which is in step before and after: Batcher's bitonic
// network, in the form in which all comparisons put the smaller entry first, so that n
// need not be a power of two. Within 64 entries, those of a warp's 32 pairs, the warp's
// own barrier is enough.
__device__ void sortEntries(u32 *entries, u32 n) {
  for (u32 run = 2; run / 2 < n; run *= 2) {
    const u32 pairs = (n + run - 1) / run * (run / 2);
    const u32 rounded = (pairs + kLanes - 1) / kLanes * kLanes;  // so that a warp's lanes stay together
    if (run > 64) syncBlock();
    for (u32 p = threadInBlock(); p < rounded; p += threadsPerBlock()) {
      const u32 begin = p / (run / 2) * run, i = p % (run / 2);
      order(entries, begin + i, begin + run - 1 - i, n);
      if (run > 64) continue;
      for (u32 distance = run / 4; distance > 0; distance /= 2) {
        syncWarp();
        const u32 first = p / distance * distance * 2 + p % distance;
        order(entries, first, first + distance, n);
      }
      syncWarp();
    }
    if (run <= 64) continue;
    for (u32 distance = run / 4; distance > kLanes; distance /= 2) {
      syncBlock();
      for (u32 p = threadInBlock(); p < pairs; p += threadsPerBlock()) {
        const u32 first = p / distance * distance * 2 + p % distance;
        order(entries, first, first + distance, n);
      }
    }
    syncBlock();
    for (u32 p = threadInBlock(); p < rounded; p += threadsPerBlock())
      for (u32 distance = kLanes; distance > 0; distance /= 2) {
        const u32 first = p / distance * distance * 2 + p % distance;
        order(entries, first, first + distance, n);
        syncWarp();
      }
  }
  syncBlock();
}

// groups (2 × count): the first word of each, and one after the last; first (V+1): where a word's
// tokens are in byWord. Shared memory, in this order: two numbers of Queue; room entries; where each
// of `words` words begins, and the end; and the mixtures of the words, three numbers each.
template <class S>
__device__ void sortedWords(const S &state, const u32 *first, const u32 *groups, u32 count, u32 room, u32 words,
                            u32 *queue, const float *inv, const WordPhase<ByWord> &phase) {
  u32 *entries = dynamicShared + 2, *begins = entries + room, *mixtures = begins + words + 1;
  const u32 thread = threadInBlock(), threads = threadsPerBlock();
  const auto inverse = [=](u32 k) { return readOnly(inv + k); };
  for (Queue q(queue, dynamicShared); q.at < count; q.next()) {
    const u32 word = readOnly(groups + 2 * q.at), members = readOnly(groups + 2 * q.at + 1) - word;
    const u32 from = readOnly(first + word), to = readOnly(first + word + members);
    for (u32 m = thread; m <= members; m += threads) {
      const u32 begin = readOnly(first + word + m);
      begins[m] = begin - from;
      if (m == members) break;
      const Mix mix(readOnly(first + word + m + 1) - begin, phase.betaSum);
      mixtures[3 * m] = mix.cut;
      mixtures[3 * m + 1] = mix.mul;
      mixtures[3 * m + 2] = mix.shift;
    }
    syncBlock();
    const auto member = [=](u32 i) {  // the last word that begins at i or before it
      u32 low = 0, high = members - 1;
      while (low < high) {
        const u32 middle = (low + high + 1) / 2;
        if (begins[middle] <= i)
          low = middle;
        else
          high = middle - 1;
      }
      return low;
    };
    eachTopic(state, phase.byWord, from, to,
              [=](u32 i, u32 topic) { entries[i - from] = member(i - from) << kTopicBits | topic; });
    syncBlock();
    sortEntries(entries, to - from);
    for (u32 i = from + thread; i < to; i += threads) {
      const u32 m = member(i - from), *mixture = mixtures + 3 * m;
      const SortedRow row{entries + begins[m], begins[m + 1] - begins[m], m << kTopicBits};
      walkToken(state, phase, i, Mix(mixture[0], mixture[1], mixture[2]), row, inverse);
    }
  }
}
