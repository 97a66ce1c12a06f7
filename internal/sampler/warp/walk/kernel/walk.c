// The steps of kernel.go; the portable Go there is their specification.
#include "go.h"
#include "vector.h"

// rows of four cells, by field.
typedef struct {
  f32x4 n, inv, prior;
} cells4;

// fetched reads the cells of four topics, a cell a vector, and turns them round.
INLINE cells4 fetched(const TopicCell *cells, const uint32_t *k, u32x4 own) {
  i32x4 a = LOAD(i32x4, cells + k[0]), b = LOAD(i32x4, cells + k[1]);
  i32x4 c = LOAD(i32x4, cells + k[2]), d = LOAD(i32x4, cells + k[3]);
  i32x4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  i32x4 abHigh = __builtin_shufflevector(a, b, 2, 6, 3, 7), cdHigh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  i32x4 n = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + (LOAD(u32x4, k) == own);
  return (cells4){
      CONVERT(f32x4, n),
      BITS(f32x4, __builtin_shufflevector(ab, cd, 2, 3, 6, 7)),
      BITS(f32x4, __builtin_shufflevector(abHigh, cdHigh, 0, 1, 4, 5)),
  };
}

// weight is Row.weight.
INLINE float weight(const TopicCell *cells, uint32_t k, uint32_t own, uint8_t each, float prior) {
  const TopicCell *cell = cells + k;
  return ((float)(cell->N - (k == own)) + (each ? cell->Prior : prior)) * cell->Inv;
}

// steps is Step; each is a constant wherever it is called.
INLINE void steps(uint32_t *z, const uint32_t *own, const uint32_t *proposal, const uint32_t *x, int64_t n,
                  const TopicCell *cells, uint8_t each, float prior) {
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    u32x4 from = LOAD(u32x4, z + i), to = LOAD(u32x4, proposal + i), was = LOAD(u32x4, own + i);
    cells4 s = fetched(cells, z + i, was), t = fetched(cells, proposal + i, was);
    f32x4 old = (s.n + (each ? s.prior : prior)) * s.inv;
    f32x4 new = (t.n + (each ? t.prior : prior)) * t.inv;
    f32x4 u = CONVERT(f32x4, BITS(i32x4, LOAD(u32x4, x + i) >> 8)) * 0x1p-24f;
    u32x4 taken = BITS(u32x4, u * old < new);
    STORE(z + i, (to & taken) | (from & ~taken));
  }
#pragma clang loop vectorize(disable) unroll(disable)
  for (; i < n; i++) {
    uint32_t s = z[i], t = proposal[i];
    float u = (float)(int32_t)(x[i] >> 8) * 0x1p-24f;
    float old = weight(cells, s, own[i], each, prior), new = weight(cells, t, own[i], each, prior);
    z[i] = u * old < new ? t : s;
  }
}

void step(stepArgs *a) {
  if (a->each) {
    steps(a->z, a->own, a->proposal, a->x, a->n, a->cells, 1, 0);
  } else {
    steps(a->z, a->own, a->proposal, a->x, a->n, a->cells, 0, a->prior);
  }
}

// drawnAtOnce is the number of tokens between which topics from the prior wait for each other.
enum { drawnAtOnce = 64 };

// Topics from the row come first, without a branch; the others are listed and drawn afterwards. So nothing depends on
// how many of each there are, and the alias table is read only where it is needed.
void draw(drawArgs *a) {
  uint32_t *restrict proposal = a->proposal;
  uint64_t mul = a->mix.mul, topics = a->topics;
  uint32_t cut = a->mix.Cut, shift = a->mix.shift;
  for (int64_t begin = 0; begin < a->n; begin += drawnAtOnce) {
    int64_t end = begin + drawnAtOnce < a->n ? begin + drawnAtOnce : a->n;
    uint8_t list[drawnAtOnce];
    int64_t listed = 0;
#pragma clang loop vectorize(disable) unroll_count(2)
    for (int64_t i = begin; i < end; i++) {
      uint32_t y = a->y[i];
      uint64_t place = y * mul >> shift;
      proposal[i] = a->places[y < cut ? place : 0];
      list[listed] = i - begin;
      listed += y >= cut;
    }
#pragma clang loop vectorize(disable)
    for (int64_t j = 0; j < listed; j++) {
      int64_t i = begin + list[j];
      uint32_t v = (a->y[i] << 8 | (a->x[i] & 255)) * 0x9E3779B1U;
      uint64_t column = v * topics;
      uint32_t k = column >> 32;
      if (a->threshold != NULL && (uint32_t)column >= a->threshold[k]) {
        k = a->other[k];
      }
      proposal[i] = k;
    }
  }
}

void expand(uint32_t *dst, uint32_t *topics, int64_t n, TopicCell *cells) {
  for (int64_t i = 0; i < n; i++) {
    u32x16 topic = (u32x16){} + topics[i];
    uint32_t *end = dst + cells[topics[i]].N;
    do {
      STORE(dst, topic);
      dst += 16;
    } while (dst < end);
    dst = end;
  }
}

int64_t setDense(int32_t *row, TopicCell *cells, uint32_t *restrict seen, int64_t topics, int64_t *sum) {
  int64_t n = 0, all = 0;
#pragma clang loop vectorize(disable) unroll_count(4)
  for (int64_t k = 0; k < topics; k++) {
    int32_t count = row[k];
    cells[k].N = count;
    seen[n] = k;
    n += count != 0;
    all += count;
  }
  *sum = all;
  return n;
}
