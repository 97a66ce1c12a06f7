// warp for parts of a corpus that pass through the device in loads, runs of whole blocks of the grid (see
// warp.h). Portable Go and the definition: warp in internal/sampler.
//
// A load's rows n_w cannot be counted from its own tokens, so they come from a model of
// the whole corpus, frozen for the iteration. The doc phase is warp_docs.h's, or warp_doc_groups.h's. Positions are
// counted from the load's first token, blocks of the grid from the corpus's first.
#include "warp_docs.h"
#include "words.h"

const u32 kDense = 0x80000000u;  // marks the number of a row of sums among places in lists

const u32 kGuide = 256;  // places in the guide to a row

// The shift that makes places of a row of n tokens places of its guide.
__device__ u32 guideShift(u32 n) {
  u32 shift = 0;
  while ((n - 1) >> shift >= kGuide) shift++;
  return shift;
}

// Model is n_wk of the whole corpus. A word with more tokens than topics has a row of
// running sums and a guide to it, any other a list of its tokens' topics in increasing
// order.
struct Model {
  const u32 *places;  // V × 2: the word's row or the place of its list; its number of tokens
  const u32 *rows;    // words with sums × (K+1): topics below k have row[k] tokens
  const u16 *guides;  // words with sums × (kGuide+1): the topics of every 2^shift-th place, then K-1
  const u16 *lists;
};

// WordRow is n_w of one word.
struct WordRow {
  const u32 *sums;  // or nothing
  const u16 *list;  // the guide, where there are sums
  u32 n;

  __device__ WordRow(const Model &model, u32 word, u32 K) : sums(nullptr) {
    const u32 place = readOnly(model.places + 2 * word);
    n = readOnly(model.places + 2 * word + 1);
    list = model.lists + place;
    if (place & kDense) {
      sums = model.rows + (place ^ kDense) * (u64)(K + 1);
      list = model.guides + (place ^ kDense) * (u64)(kGuide + 1);
    }
  }

  // Whether a place of the list has topic k.
  __device__ bool has(u32 place, u32 k) const { return place < n && readOnly(list + place) == k; }

  // How many of the list's topics, from first on, are k: few, for most topics.
  __device__ u32 run(u32 first, u32 k) const {
    u32 reach = 1;
    while (has(first + reach - 1, k)) reach *= 2;
    u32 low = first + reach / 2, high = minimum(first + reach - 1, n);
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (readOnly(list + middle) == k)
        low = middle + 1;
      else
        high = middle;
    }
    return low - first;
  }

  // The counts of some topics, looked up side by side, because what takes time is the way to
  // memory.
  template <u32 kTopics>
  __device__ void count(const u32 (&topics)[kTopics], u32 (&counts)[kTopics]) const {
    if (sums != nullptr) {
#pragma unroll
      for (u32 i = 0; i < kTopics; i++) counts[i] = readOnly(sums + topics[i] + 1) - readOnly(sums + topics[i]);
      return;
    }
    u32 first[kTopics] = {};
    for (u32 left = n; left > 1; left -= left / 2) {
#pragma unroll
      for (u32 i = 0; i < kTopics; i++)
        if (readOnly(list + first[i] + left / 2 - 1) < topics[i]) first[i] += left / 2;
    }
#pragma unroll
    for (u32 i = 0; i < kTopics; i++) {
      first[i] += readOnly(list + first[i]) < topics[i];
      counts[i] = has(first[i], topics[i]) ? run(first[i], topics[i]) : 0;
    }
  }

  // The topics of some places, side by side.
  template <u32 kPlaces>
  __device__ void topic(const u32 (&places)[kPlaces], u32 (&topics)[kPlaces]) const {
    const u32 shift = sums != nullptr ? guideShift(n) : 0;
    u32 high[kPlaces];
    bool more = sums != nullptr;
#pragma unroll
    for (u32 i = 0; i < kPlaces; i++) topics[i] = readOnly(list + (places[i] >> shift));
    if (!more) return;
#pragma unroll
    for (u32 i = 0; i < kPlaces; i++) high[i] = readOnly(list + (places[i] >> shift) + 1);
    while (more) {
      more = false;
#pragma unroll
      for (u32 i = 0; i < kPlaces; i++) {
        const u32 middle = (topics[i] + high[i]) / 2;
        if (topics[i] >= high[i]) continue;
        if (readOnly(sums + middle + 1) > places[i])
          high[i] = middle;
        else
          topics[i] = middle + 1;
        more = true;
      }
    }
  }
};

// The word phase of the token in a position, whose row and place are given: its topic and
// new proposals, as they were and as they become. Two at a time are looked up together.
template <u32 kSteps, class Proposal, class Keep>
__device__ u32 walkWord(const WordRow &row, u32 own, Proposal proposal, Keep keep, u32 steps, const float *inv,
                        float beta, double betaSum, u32 b, u32 place, const Settings &s) {
  const u32 kTogether = kSteps == 1 ? 1 : 2;
  const Mix mix(row.n, betaSum);
  u32 z = own;
  float weight = 0;
  for (u32 j = 0; j < steps; j += 2) {
    const Block random = stepWords(s, place, b, j);
    u32 topics[1 + kTogether], counts[1 + kTogether], places[kTogether], drawn[kTogether];
    topics[0] = own;
#pragma unroll
    for (u32 i = 0; i < kTogether; i++) {
      const u32 y = pickOf(random, i).y;
      topics[1 + i] = j + i < steps ? proposal(j + i) : own;
      places[i] = y < mix.cut ? mix.place(y) : 0;
    }
    row.count(topics, counts);
    row.topic(places, drawn);
    if (j == 0) weight = ((float)(counts[0] - 1) + beta) * readOnly(inv + own);
#pragma unroll
    for (u32 i = 0; i < kTogether; i++) {
      if (j + i >= steps) break;
      const Pick p = pickOf(random, i);
      const u32 t = topics[1 + i];
      const float other = ((float)(counts[1 + i] - (t == own)) + beta) * readOnly(inv + t);
      if (unitOf(p.x) * weight < other) {
        z = t;
        weight = other;
      }
      keep(j + i, p.y < mix.cut ? drawn[i] : smoothTopic(p, s.K, nullptr, true));
    }
  }
  return z;
}

// The word phase of a load of N tokens, a token for each thread.
template <u32 kSteps>
__device__ void wordPhase(u16 *tokens, u32 layout, u32 N, const Words &words, const Model &model, const float *inv,
                          const Blocks &blocks, float beta, double betaSum, const Settings &s) {
  const State<u16, kSteps> state{tokens, layout};
  typedef typename State<u16, kSteps>::Whole Whole;
  for (u32 position = threadInGrid(); position < N; position += threadsPerGrid()) {
    const WordRow row(model, words.at(position), s.K);
    const u32 b = blocks.of(position), place = position - readOnly(blocks.begin + b);
    u16 *token = state.at(position);
    Whole whole = 0, result = 0;
    if (kSteps > 0) whole = state.whole(position);
    const u32 own = kSteps > 0 ? part(whole, 0) : (u32)token[0];
    const u32 z = walkWord<kSteps>(
        row, own, [&](u32 j) { return kSteps > 0 ? part(whole, 1 + j) : (u32)token[1 + j]; },
        [&](u32 j, u32 drawn) {
          if (kSteps > 0)
            result |= (Whole)drawn << (16 * (1 + j));
          else
            token[1 + j] = drawn;
        },
        state.steps(), inv, beta, betaSum, b, place, s);
    if (kSteps > 0)
      state.setWhole(position, result | z);
    else
      token[0] = z;
  }
}

#define WORDS(NAME, STEPS)                                                                                         \
  extern "C" __global__ void __launch_bounds__(256, 4) warp_stream_words_##NAME(                                   \
      u16 *tokens, u32 layout, u32 N, const u32 *begins, const u32 *before, const u32 *segment, const u32 *places, \
      const u32 *rows, const u16 *guides, const u16 *lists, const float *inv, const u32 *begin, u32 blockCount,    \
      u32 beta, u64 betaSum, SCALARS) {                                                                            \
    wordPhase<STEPS>(tokens, layout, N, {begins, before, segment}, {places, rows, guides, lists}, inv,             \
                     {begin, blockCount}, SINGLE(beta), REAL(betaSum), SETTINGS);                                  \
  }

WORDS(16x1, 1)
WORDS(16x2, 2)
WORDS(16, 0)
DOCS_KERNEL(warp_stream_docs_16, u16, 0, false)
DOCS_KERNEL(warp_stream_docs_16x1_hashed, u16, 1, true)
DOCS_KERNEL(warp_stream_docs_16x2_hashed, u16, 2, true)
DOCS_KERNEL(warp_stream_docs_16_hashed, u16, 0, true)

// Unpacks a load: its topics (N, grid order) to tokens, and the places of its documents'
// tokens in their blocks (N, corpus order) to positions. A block of more than 65,536
// tokens is one document, in order.
extern "C" __global__ void __launch_bounds__(256, 8)
    warp_stream_unpack(const u16 *topics, const u16 *placesInBlock, u32 N, const u32 *begin, u32 blockCount,
                       u16 *tokens, u32 layout, u32 *byDoc) {
  const Blocks blocks{begin, blockCount};
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    tokens[i * (u64)(layout >> 16)] = topics[i];
    const u32 b = blocks.of(i), from = readOnly(begin + b);
    byDoc[i] = readOnly(begin + b + 1) - from > 65536 ? i : from + placesInBlock[i];
  }
}

// Makes the guides to rows, one block of threads each.
extern "C" __global__ void __launch_bounds__(256, 8) warp_stream_guide(const u32 *rows, u16 *guides, u32 K) {
  const u32 *sums = rows + blockInGrid() * (u64)(K + 1);
  const u32 n = sums[K], shift = guideShift(n);
  for (u32 i = threadInBlock(); i <= kGuide; i += threadsPerBlock()) {
    u32 low = 0, high = K - 1;
    if (i == kGuide || (u64)i << shift >= n) low = high;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (sums[middle + 1] > i << shift)
        high = middle;
      else
        low = middle + 1;
    }
    guides[blockInGrid() * (u64)(kGuide + 1) + i] = low;
  }
}
