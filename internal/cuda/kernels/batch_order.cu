// batch: the order in which tokens are drawn, and topics between it and that of the corpus. Token i
// of the corpus is drawn in place places[i]. Portable Go and the definition: drawingOrder in
// internal/sampler/batch, grid.Walker, and RandomTopics in internal/sampler.
#include "philox.h"

// The grid positions of tokens in drawing order: document after document, rising position in each. docs is the
// document of every token in grid order, counted from its block's first. blocks has a block's first token and first
// document, and those after the last one; a warp has a block. next begins as the places of documents' first tokens.
extern "C" __global__ void __launch_bounds__(32, 16)
    batch_order_positions(u32 *positions, const u16 *docs, u32 *next, const u32 *blocks, u32 count) {
  const u32 lane = laneInWarp();
  for (u32 b = blockInGrid(); b < count; b += blocksPerGrid()) {
    const u32 end = blocks[2 * b + 2];
    for (u32 at = blocks[2 * b]; at < end; at += kLanes) {
      const bool inside = at + lane < end;
      const u32 doc = inside ? readOnly(docs + at + lane) : 1u << 16;
      u32 same = 0;  // lanes
#pragma unroll
      for (u32 j = 0; j < kLanes; j++) same |= (u32)(fromLane(doc, j) == doc) << j;
      const u32 leader = __builtin_ctz(same);
      u32 place = 0;
      if (inside && lane == leader) place = fetchAdd(next + blocks[2 * b + 1] + doc, __builtin_popcount(same));
      place = fromLane(place, leader) + __builtin_popcount(same & ((1u << lane) - 1));
      if (inside) positions[place] = at + lane;
      syncWarp();
    }
  }
}

// The words of tokens in grid order.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_words(u32 *gridWords, const u32 *words, const u32 *positions, u32 N) {
  for (u64 i = threadInGrid(); i < N; i += threadsPerGrid()) gridWords[positions[i]] = words[i];
}

// The first of the increasing numbers from … to-1 that is not below x.
__device__ u32 firstFrom(const u32 *numbers, u32 from, u32 to, u32 x) {
  while (from < to) {
    const u32 middle = from + (to - from) / 2;
    if (numbers[middle] < x)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

// The number in corpus order of the token in a place of a segment of n: the reverse of grid.spread.
__device__ u32 unspread(u32 place, u32 n) {
  const u32 each = n / 4, longer = n % 4, inLonger = longer * (each + 1);
  const u32 run = place < inLonger ? place / (each + 1) : longer + (place - inLonger) / each;
  return 4 * (place - run * each - minimum(run, longer)) + run;
}

// The places of all tokens. They are out of order where a document has several tokens of a word; which of these is
// which follows from where the word's tokens begin and end in the block, whose words are sorted. A warp has a document.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_places(u32 *places, const u32 *words, const u32 *positions, const u32 *gridWords, const u32 *offsets,
                       u32 D, const u32 *blocks, u32 count) {
  for (u32 d = threadInGrid() / kLanes; d < D; d += threadsPerGrid() / kLanes) {
    u32 b = 0;
    for (u32 after = count; after - b > 1;) {
      const u32 middle = (b + after) / 2;
      if (blocks[2 * middle + 1] <= d)
        b = middle;
      else
        after = middle;
    }
    const u32 from = offsets[d], to = offsets[d + 1];
    for (u32 i = from + laneInWarp(); i < to; i += kLanes) {
      const u32 word = words[i];
      if (i > from && words[i - 1] == word) continue;
      u32 end = i + 1;
      while (end < to && words[end] == word) end++;
      if (end - i == 1) {
        places[i] = i;
        continue;
      }
      const u32 begin = firstFrom(gridWords, blocks[2 * b], blocks[2 * b + 2], word);
      const u32 n = firstFrom(gridWords, begin, blocks[2 * b + 2], word + 1) - begin;
      u32 least = n;
      for (u32 j = i; j < end; j++) least = minimum(least, unspread(positions[j] - begin, n));
      for (u32 j = i; j < end; j++) places[i + unspread(positions[j] - begin, n) - least] = j;
    }
  }
}

// A uniform topic for every token. Four share a block of random numbers.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_start(u16 *topics, const u32 *places, u32 N, u32 K, u32 k0, u32 k1, u32 purpose) {
  for (u64 four = threadInGrid(); 4 * four < N; four += threadsPerGrid()) {
    const Block random = philox({k0, k1}, (u32)four, 0, purpose, 0);
    for (u32 i = 0; i < 4; i++)
      if (4 * four + i < N) topics[places[4 * four + i]] = (u16)below(random.x[i], K);
  }
}

// The topics in drawing order, or the other way round if toCorpus is set.
extern "C" __global__ void __launch_bounds__(256, 8)
    batch_order_copy(u16 *drawn, u16 *corpus, const u32 *places, u32 N, u32 toCorpus) {
  for (u64 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    if (toCorpus)
      corpus[i] = drawn[places[i]];
    else
      drawn[places[i]] = corpus[i];
  }
}
