// Philox4x32-10 for many counters at once; philox.go is the specification.
#include "go.h"
#include "vector.h"

// words are the four words of some blocks, one block a lane.
typedef struct {
  u32x8 w0, w1, w2, w3;
} blocks8;

// halves are the upper and lower 32 bits of products.
typedef struct {
  u32x8 high, low;
} halves;

// times multiplies numbers of 32 bits.
INLINE halves times(u32x8 x, uint64_t factor) {
#ifdef __x86_64__
  // There is one multiplication, of the even elements.
  u64x4 low = (u64x4){} + 0xffffffff;
  u64x4 even = (BITS(u64x4, x) & low) * factor, odd = (BITS(u64x4, x) >> 32) * factor;
  return (halves){BITS(u32x8, even >> 32 | (odd & ~low)), BITS(u32x8, (even & low) | odd << 32)};
#else
  typedef uint64_t u64x8 __attribute__((vector_size(64)));
  u64x8 product = CONVERT(u64x8, x) * factor;
  return (halves){CONVERT(u32x8, product >> 32), CONVERT(u32x8, product)};
#endif
}

INLINE blocks8 block8(blocks8 c, const uint32_t *keys) {
#pragma clang loop unroll_count(2)
  for (int r = 0; r < rounds; r++) {
    halves a = times(c.w0, multiplier0), b = times(c.w2, multiplier1);
    c = (blocks8){b.high ^ c.w1 ^ keys[2 * r], b.low, a.high ^ c.w3 ^ keys[2 * r + 1], a.low};
  }
  return c;
}

// fill takes a number of blocks that is a multiple of eight.
void fill(uint32_t *dst, int64_t blocks, uint32_t *keys, uint64_t firstBlock, uint32_t iteration, uint32_t purpose) {
  static const u32x8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int64_t i = 0; i < blocks; i += 8, firstBlock += 8, dst += 32) {
    u32x8 low = lane + (uint32_t)firstBlock;
    u32x8 carried = BITS(u32x8, low < lane);  // -1 where the lower half has run over
    blocks8 c = {low, (u32x8){} + iteration, (u32x8){} + purpose, (uint32_t)(firstBlock >> 32) - carried};
    c = block8(c, keys);
    typedef uint32_t u32x32 __attribute__((vector_size(128)));
    u32x16 a = __builtin_shufflevector(c.w0, c.w1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    u32x16 b = __builtin_shufflevector(c.w2, c.w3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    u32x32 all = __builtin_shufflevector(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27, 4, 12, 20, 28,
                                         5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    STORE(dst, all);
  }
}

// blocks takes n > 0 blocks. The last ones, fewer than eight, are computed beside rubbish that is not written.
void blocks(blocksArgs *a) {
  for (int64_t i = 0; i < a->n; i += 8) {
    blocks8 c = {(u32x8){}, (u32x8){} + a->c1, (u32x8){} + a->c2, (u32x8){}};
    if (i + 8 <= a->n) {
      c.w0 = LOAD(u32x8, a->c0 + i);
      c.w3 = LOAD(u32x8, a->c3 + i);
      c = block8(c, a->keys);
      STORE(a->dst[0] + i, c.w0);
      STORE(a->dst[1] + i, c.w1);
      STORE(a->dst[2] + i, c.w2);
      STORE(a->dst[3] + i, c.w3);
      continue;
    }
    int64_t left = a->n - i;
    uint32_t rest[4][8] = {};
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t j = 0; j < left; j++) {
      rest[0][j] = a->c0[i + j];
      rest[3][j] = a->c3[i + j];
    }
    c.w0 = LOAD(u32x8, rest[0]);
    c.w3 = LOAD(u32x8, rest[3]);
    c = block8(c, a->keys);
    STORE(rest[0], c.w0);
    STORE(rest[1], c.w1);
    STORE(rest[2], c.w2);
    STORE(rest[3], c.w3);
    for (int w = 0; w < 4; w++) {
#pragma clang loop vectorize(disable) unroll(disable)
      for (int64_t j = 0; j < left; j++) {
        a->dst[w][i + j] = rest[w][j];
      }
    }
  }
}
