// The kernels of update.go and draw.go; the portable Go there is their specification.
#include "go.h"
#include "vector.h"

// decoded is decode for sixteen bytes.
INLINE f32x16 decoded(const uint8_t *gamma) {
  i32x16 code = CONVERT(i32x16, LOAD(i8x16, gamma));
  return BITS(f32x16, (code << dropped) + codeBase);
}

// weigh is tile.weigh: it fills weights and returns their sum.
INLINE float weigh(const tile *t, const uint8_t *gamma, const int32_t *doc, const int32_t *word) {
  f32x16 sums = {};
  for (int64_t k = 0; k < t->kpad; k += lanes) {
    f32x16 old = decoded(gamma + k);
    f32x16 a = CONVERT(f32x16, LOAD(i32x16, doc + k)) - old + LOAD(f32x16, t->alpha.at + k);
    f32x16 b = CONVERT(f32x16, LOAD(i32x16, word + k)) - old + t->beta;
    f32x16 x = a * b * LOAD(f32x16, t->inv.at + k);
    STORE(t->weights.at + k, x);
    sums += x;
  }
  return halved(sums);
}

void update(tile *t) {
  uint8_t *gamma = t->gamma.at;
  for (int64_t i = 0; i < t->pairs.len; i++, gamma += t->kpad) {
    const pair *p = &t->pairs.at[i];
    int32_t *doc = t->docs.at + (int64_t)p->doc * t->kpad;
    int32_t *word = t->words.at + (int64_t)p->word * t->kpad;
    float scale = One / weigh(t, gamma, doc, word);
    int32_t count = p->count;
    for (int64_t k = 0; k < t->kpad; k += lanes) {
      // The change of the counts is a whole number, so it may be taken between bits or between values.
      f32x16 old = decoded(gamma + k);
      u32x16 bits = BITS(u32x16, LOAD(f32x16, t->weights.at + k) * scale + offset) + roundHalf;
      f32x16 now = BITS(f32x16, bits & ~((1U << dropped) - 1));
      i32x16 change = CONVERT(i32x16, now - old) * count;
      STORE(gamma + k, CONVERT(u8x16, bits >> dropped));
      STORE(doc + k, LOAD(i32x16, doc + k) + change);
      STORE(word + k, LOAD(i32x16, word + k) + change);
    }
  }
}

void sumRows(int64_t *sums, int32_t *rows, int64_t n, int64_t kpad) {
  for (int64_t k = 0; k < kpad; k += lanes) {
    i64x16 sum = {};
    const int32_t *row = rows + k;
    for (int64_t i = 0; i < n; i++, row += kpad) {
      sum += CONVERT(i64x16, LOAD(i32x16, row));
    }
    STORE(sums + k, sum);
  }
}

// unitsOf is units for sixteen bytes.
INLINE i32x16 unitsOf(const uint8_t *gamma) { return CONVERT(i32x16, decoded(gamma)) - offset; }

void laneSums(int32_t *sums, uint8_t *gamma, int64_t n) {
  i32x16 sum = {};
  for (int64_t k = 0; k < n; k += lanes) {
    sum += unitsOf(gamma + k);
  }
  STORE(sums, sum);
}

// below is rng.Below.
INLINE uint32_t below(uint32_t x, uint32_t n) { return (uint64_t)x * n >> 32; }

void draw(uint32_t *z, int64_t n, uint8_t *gamma, int64_t kpad, uint32_t u) {
  int32_t lane[lanes];
  laneSums(lane, gamma, kpad);
  uint32_t total = 0;
  for (int l = 0; l < lanes; l++) {
    total += lane[l];
  }
  for (int64_t i = 0; i < n; i++, u += golden) {
    int32_t rest = below(u, total);
    int64_t k = 0;
    while (rest >= lane[k]) {
      rest -= lane[k++];
    }
    for (;;) {
      int32_t bits = ((int32_t)(int8_t)gamma[k] << dropped) + codeBase;
      int32_t unit = (int32_t)__builtin_bit_cast(float, bits) - offset;
      if (rest < unit) {
        break;
      }
      rest -= unit;
      k += lanes;
    }
    z[i] = k;
  }
}
