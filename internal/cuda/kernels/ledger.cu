// n_wk of a corpus on a device, brought from version to version by blobs of changes, and the blobs
// that are made there. Portable Go and the definition: package blob for the bytes, Merge of package
// internal/cluster/rows for adding them up.
//
// A word with more tokens than topics has a row of running sums (rows), any other a list of its
// tokens' topics in increasing order (lists), as Model of warp_stream.cu has them. places has two
// numbers for every word: its row or the place of its list; its number of tokens.
#include "ledger.h"
#include "warp.h"
#include "words.h"

const u32 kSums = 0x80000000u;   // marks the number of a row among places in lists
const u32 kBits = 0x80000000u;   // marks the length of a row of bits and bytes
const u32 kDense = 8;            // rows of at least K / kDense changes have bits and bytes, …
const u32 kDenseMost = 127;      // if no change is larger
const u32 kInline = 3;           // values up to this one are in the number with the gap
const u32 kUnit = 16;            // bytes: where rows may begin before they are gathered

__device__ u32 zigzag(u32 d) { return d << 1 ^ (u32)((int)d >> 31); }
__device__ u32 unzigzag(u32 u) { return u >> 1 ^ -(u & 1); }

// How many bytes a number takes.
__device__ u32 varintBytes(u32 x) {
  u32 n = 1;
  for (; x >= 0x80; x >>= 7) n++;
  return n;
}

// Writes a number and returns the place behind it.
__device__ u8 *putVarint(u8 *out, u32 x) {
  for (; x >= 0x80; x >>= 7) *out++ = x | 0x80;
  *out++ = x;
  return out;
}

// Writes an entry whose topic is gap topics behind the one before.
__device__ u8 *putEntry(u8 *out, u32 gap, u32 u) {
  if (u <= kInline) return putVarint(out, gap << 2 | u);
  return putVarint(putVarint(out, gap << 2), u - kInline - 1);
}

__device__ u32 entryBytes(u32 gap, u32 u) {
  if (u <= kInline) return varintBytes(gap << 2 | u);
  return varintBytes(gap << 2) + varintBytes(u - kInline - 1);
}

// Writes the entries of a row as a blob has them, by the whole block, which is in step before.
// Returns their length, marked if they are bits and bytes, and how many there are.
template <bool kChanges>
__device__ u32 writeRow(const Row &row, u32 K, u32 *carry, u8 *out, u32 &entries) {
  const Share share(K);
  u32 n = 0, passed = 0, large = 0;
  for (u32 k = share.first; k < share.last; k++) {
    const u32 v = row.at(k);
    if (v == 0) continue;
    n++;
    passed = k + 1;
    if (v + kDenseMost > 2 * kDenseMost) large = 1;
  }
  u32 anyLarge;
  const u32 before = sumBefore(n, carry, entries);
  sumBefore(large, carry, anyLarge);
  u32 next = largestBefore(passed, carry);
  if (entries == 0) return 0;
  if (kChanges && anyLarge == 0 && (u64)entries * kDense >= K) {
    const u32 width = (K + 7) / 8;
    for (u32 i = threadInBlock(); i < width; i += threadsPerBlock()) {
      u32 bits = 0;
      for (u32 j = 0; j < 8 && 8 * i + j < K; j++) bits |= (u32)(row.at(8 * i + j) != 0) << j;
      out[i] = bits;
    }
    u8 *to = out + width + before;
    for (u32 k = share.first; k < share.last; k++)
      if (row.at(k) != 0) *to++ = row.at(k);
    return width + entries | kBits;
  }
  u32 bytes = 0, length, after = next;
  for (u32 k = share.first; k < share.last; k++) {
    const u32 v = row.at(k);
    if (v == 0) continue;
    bytes += entryBytes(k - after, kChanges ? zigzag(v) : v);
    after = k + 1;
  }
  u8 *to = out + sumBefore(bytes, carry, length);
  for (u32 k = share.first; k < share.last; k++) {
    const u32 v = row.at(k);
    if (v == 0) continue;
    to = putEntry(to, k - next, kChanges ? zigzag(v) : v);
    next = k + 1;
  }
  return length;
}

// Makes n_w of a word, by the whole block, which is in step after.
__device__ void readRow(const Row &row, u32 place, u32 n, const u32 *rows, const u16 *lists, u32 K) {
  if (place & kSums) {
    const u32 *sums = rows + (place ^ kSums) * (u64)(K + 1);
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) row.at(k) = sums[k + 1] - sums[k];
    syncBlock();
    return;
  }
  for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) row.at(k) = 0;
  syncBlock();
  for (u32 i = threadInBlock(); i < n; i += threadsPerBlock()) atomicAdd(&row.at(lists[place + i]), 1);
  syncBlock();
}

// Writes the rows of words first … last-1 as a blob of counts has them, each to its room, which begins
// at a multiple of kUnit.
extern "C" __global__ void __launch_bounds__(kThreads, 8)
    ledger_counts(const u32 *places, const u32 *rows, const u16 *lists, u32 first, u32 last, u32 K, const u32 *rooms,
                  u8 *out, u32 *lengths, u32 *entries) {
  const Row row{dynamicShared};
  u32 *carry = dynamicShared + rowNumbers(K);
  for (u32 w = first + blockInGrid(); w < last; w += blocksPerGrid()) {
    const u32 place = places[2 * w], n = places[2 * w + 1];
    u32 length = 0, count = 0;
    if (n > 0) {
      syncBlock();  // the row of the word before has been read
      readRow(row, place, n, rows, lists, K);
      length = writeRow<false>(row, K, carry, out + rooms[w] * (u64)kUnit, count);
    }
    if (threadInBlock() == 0) {
      lengths[w] = length;
      entries[w] = count;
    }
  }
}

// Notes how the tokens of a load moved from topics, which become the new ones, to those of their state
// (numbers of 16 bits, layout>>16 of them a token). places, deltas, moves and taken are those of ledger_changes.
extern "C" __global__ void __launch_bounds__(256, 8)
    ledger_moves(const u16 *tokens, u32 layout, u16 *topics, u32 N, const u32 *begins, const u32 *before,
                 const u32 *segment, const u32 *places, u32 *deltas, u32 *moves, u32 *taken, u32 K) {
  const Words words{begins, before, segment};
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    const u32 old = topics[i], now = tokens[i * (u64)(layout >> 16)];
    if (old == now) continue;
    topics[i] = now;
    const u32 word = words.at(i), place = readOnly(places + 2 * word);
    if (place & kSums) {
      u32 *delta = deltas + (place ^ kSums) * (u64)K;
      atomicAdd(delta + old, -1);
      atomicAdd(delta + now, 1);
    } else {
      moves[place + fetchAdd(taken + word, 1)] = old | now << 16;
    }
  }
}

// Puts a load's topics (N, grid order) into corpus order, in which places has the tokens' places in their
// blocks. A block of more than 65,536 tokens is one document, in order.
extern "C" __global__ void __launch_bounds__(256, 8)
    ledger_topics(const u16 *topics, const u16 *places, u32 N, const u32 *begin, u32 blockCount, u16 *out) {
  const Blocks blocks{begin, blockCount};
  for (u32 i = threadInGrid(); i < N; i += threadsPerGrid()) {
    const u32 b = blocks.of(i), from = readOnly(begin + b);
    out[i] = topics[readOnly(begin + b + 1) - from > 65536 ? i : from + places[i]];
  }
}

// Writes what a part changed in its words as a blob of changes has it, and makes everything ready
// for the next round. A word has a row of differences (deltas) or a list of moves, the old topic in the
// lower half, of which taken says how many there are; places is as above, of the part's tokens.
extern "C" __global__ void __launch_bounds__(kThreads, 8)
    ledger_changes(const u32 *places, u32 *deltas, const u32 *moves, u32 *taken, u32 V, u32 K, const u32 *rooms, u8 *out,
                   u32 *lengths, u32 *entries) {
  const Row row{dynamicShared};
  u32 *carry = dynamicShared + rowNumbers(K);
  for (u32 w = blockInGrid(); w < V; w += blocksPerGrid()) {
    const u32 place = places[2 * w], n = places[2 * w + 1], moved = place & kSums ? n : taken[w];
    u32 length = 0, count = 0;
    if (moved > 0) {
      syncBlock();
      if (place & kSums) {
        u32 *delta = deltas + (place ^ kSums) * (u64)K;
        for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) {
          row.at(k) = delta[k];
          delta[k] = 0;
        }
      } else {
        for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) row.at(k) = 0;
        syncBlock();
        for (u32 i = threadInBlock(); i < moved; i += threadsPerBlock()) {
          const u32 move = moves[place + i];
          atomicAdd(&row.at(move & 0xffff), -1);
          atomicAdd(&row.at(move >> 16), 1);
        }
        if (threadInBlock() == 0) taken[w] = 0;
      }
      syncBlock();
      length = writeRow<true>(row, K, carry, out + rooms[w] * (u64)kUnit, count);
    }
    if (threadInBlock() == 0) {
      lengths[w] = length;
      entries[w] = count;
    }
  }
}

// Puts the rows of words first … last-1 behind each other, each with its head: gaps says how many words were
// skipped before it, begins where its head is to begin. A warp has a word.
extern "C" __global__ void __launch_bounds__(256, 8)
    ledger_gather(const u8 *rooms, const u32 *roomOf, const u32 *lengths, u32 first, u32 last, const u32 *gaps,
                  const u32 *begins, u8 *out) {
  for (u32 w = first + threadInGrid() / kLanes; w < last; w += threadsPerGrid() / kLanes) {
    const u32 length = lengths[w] & ~kBits;
    if (length == 0) continue;
    const bool bits = lengths[w] & kBits;
    const u8 *from = rooms + roomOf[w] * (u64)kUnit;
    u8 *to = out + begins[w];
    const u32 head = varintBytes(gaps[w]) + bits + varintBytes(length);
    if (laneInWarp() == 0) {
      u8 *next = putVarint(to, gaps[w]);
      if (bits) *next++ = 0;
      putVarint(next, length);
    }
    for (u32 i = laneInWarp(); i < length; i += kLanes) to[head + i] = from[i];
  }
}

// Reads a number at a place before end, and moves the place behind it. What is no number is 0.
__device__ u32 takeVarint(const u8 *bytes, u32 &at, u32 end) {
  u32 x = 0;
  for (u32 shift = 0; at < end && shift < 35; shift += 7) {
    const u32 b = bytes[at++];
    x |= (b & 0x7f) << shift;
    if (b < 0x80) return x;
  }
  return 0;
}

// Adds a row of entries, one after the other, by one thread. Returns whether they were as they should be.
template <bool kChanges>
__device__ bool addEntries(const Row &delta, u32 K, const u8 *bytes, u32 at, u32 end, u32 sign) {
  u32 next = 0;
  while (at < end) {
    const u32 x = takeVarint(bytes, at, end), k = next + (x >> 2);
    u32 u = x & kInline;
    if (u == 0) u = takeVarint(bytes, at, end) + kInline + 1;
    if (k >= K) return false;
    delta.at(k) += sign * (kChanges ? unzigzag(u) : u);
    next = k + 1;
  }
  return true;
}

// Adds a row of bits and bytes by the whole block. The host has seen that there are as many bits as
// bytes, and none beyond K.
__device__ void addBits(const Row &delta, u32 K, const u8 *bytes, u32 *carry, u32 sign) {
  const u32 width = (K + 7) / 8;
  const Share share(width);
  u32 n = 0, all;
  for (u32 i = share.first; i < share.last; i++) n += __builtin_popcount(bytes[i]);
  const u8 *values = bytes + width + sumBefore(n, carry, all);
  for (u32 i = share.first; i < share.last; i++)
    for (u32 bits = bytes[i]; bits != 0; bits &= bits - 1)
      delta.at(8 * i + __builtin_ctz(bits)) += sign * (u32)(int)(signed char)*values++;
}

// Adds rows of blobs to n_wk. index has two numbers for every source and word: where in bytes its entries
// begin, and their length, marked if they are bits and bytes. Bit i of signs says that source i is taken
// out. totals gets what is added to n_k, modulo 2^32. If fresh is set, sources are of counts and all that there is. fault becomes 1 + a word whose
// row would have another number of tokens than it should, or a count below zero.
template <bool kFresh>
__device__ void addRows(const u32 *places, u32 *rows, u16 *lists, const u8 *bytes, const u32 *index, u32 sources,
                        u32 signs, u32 V, u32 K, u32 *totals, u32 *fault) {
  const Row row{dynamicShared}, delta{row.numbers + rowNumbers(K)}, total{delta.numbers + rowNumbers(K)};
  u32 *carry = total.numbers + rowNumbers(K);
  const Share share(K);
  for (u32 k = share.first; k < share.last; k++) total.at(k) = 0;
  for (u32 w = blockInGrid(); w < V; w += blocksPerGrid()) {
    const u32 place = places[2 * w], n = places[2 * w + 1];
    bool some = kFresh && n > 0;
    for (u32 s = 0; s < sources; s++) some = some || index[2 * (s * (u64)V + w) + 1] != 0;
    if (!some) continue;
    syncBlock();
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) delta.at(k) = 0;
    bool bad = false;
    for (u32 s = 0; s < sources; s++) {
      const u32 *at = index + 2 * (s * (u64)V + w);
      const u32 begin = at[0], length = at[1] & ~kBits, sign = signs >> s & 1 ? -1 : 1;
      if (length == 0) continue;
      syncBlock();
      if (at[1] & kBits)
        addBits(delta, K, bytes + begin, carry, sign);
      else if (threadInBlock() == 0)
        bad = !addEntries<!kFresh>(delta, K, bytes, begin, begin + length, sign) || bad;
    }
    if (!kFresh) readRow(row, place, n, rows, lists, K);
    syncBlock();
    u32 sum = 0, tokens, anyBad;
    for (u32 k = share.first; k < share.last; k++) {
      const u32 d = delta.at(k), count = (kFresh ? 0 : row.at(k)) + d;
      if ((int)count < 0) bad = true;
      row.at(k) = count;
      total.at(k) += d;
      sum += count;
    }
    u32 before = sumBefore(sum, carry, tokens);
    sumBefore(bad, carry, anyBad);
    if (anyBad > 0 || tokens != n) {
      if (threadInBlock() == 0) *fault = w + 1;
      continue;
    }
    if (place & kSums) {
      for (u32 k = share.first; k < share.last; k++) row.at(k) = before += row.at(k);
      syncBlock();
      u32 *sums = rows + (place ^ kSums) * (u64)(K + 1);
      for (u32 k = threadInBlock(); k < K; k += threadsPerBlock()) sums[k + 1] = row.at(k);
      if (threadInBlock() == 0) sums[0] = 0;
    } else {
      for (u32 k = share.first; k < share.last; k++)
        for (u32 i = row.at(k); i > 0; i--) lists[place + before++] = k;
    }
  }
  for (u32 k = share.first; k < share.last; k++)
    if (total.at(k) != 0) atomicAdd(totals + k, total.at(k));
}

#define ADD(NAME, FRESH)                                                                                               \
  extern "C" __global__ void __launch_bounds__(kThreads, 8)                                                            \
      ledger_##NAME(const u32 *places, u32 *rows, u16 *lists, const u8 *bytes, const u32 *index, u32 sources,          \
                    u32 signs, u32 V, u32 K, u32 *totals, u32 *fault) {                                                \
    addRows<FRESH>(places, rows, lists, bytes, index, sources, signs, V, K, totals, fault);                            \
  }

ADD(add, false)
ADD(load, true)
