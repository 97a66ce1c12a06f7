// Dense rows: a bit for every topic, and a byte for every bit that is set. The portable Go in forms.go is the
// specification. No branch depends on a bit.
#include "go.h"
#include "vector.h"

int64_t packDense(uint8_t *set, uint8_t *restrict values, int32_t *delta, int64_t groups, uint32_t *most) {
  u32x8 largest = {};
  int64_t n = 0;
  for (int64_t g = 0; g < 2 * groups; g++, delta += 8) {
    uint32_t bits = 0;
#pragma clang loop unroll(full) vectorize(disable)
    for (int k = 0; k < 8; k++) {
      int32_t d = delta[k];
      values[n] = d;
      n += d != 0;
      bits |= (uint32_t)(d != 0) << k;
    }
    set[g] = bits;
    i32x8 d = LOAD(i32x8, delta);
    u32x8 sign = BITS(u32x8, d >> 31);
    u32x8 size = (BITS(u32x8, d) ^ sign) - sign;
    u32x8 more = BITS(u32x8, size > largest);
    largest = (size & more) | (largest & ~more);
  }
  *most = __builtin_reduce_max(largest);
  return n;
}

void addDense(addArgs *a) {
  int32_t *restrict row = a->row;
  uint64_t *totals = a->totals;
  const uint8_t *values = a->values, *last = values + a->valuesLen - 1;
  int32_t sign = a->sign;
  for (int64_t g = 0; g < 2 * a->groups; g++, row += 8) {
    uint32_t bits = a->set[g];
    int32_t change[8];
#pragma clang loop unroll(full) vectorize(disable)
    for (int k = 0; k < 8; k++) {
      int32_t bit = bits >> k & 1;
      const uint8_t *from = values < last ? values : last;  // a byte that is not taken may lie behind the end
      change[k] = (int8_t)*from * sign & -bit;
      values += bit;
    }
    STORE(row, LOAD(i32x8, row) + LOAD(i32x8, change));
    if (totals != NULL) {
      typedef int64_t i64x8 __attribute__((vector_size(64)));
      STORE(totals, LOAD(i64x8, totals) + CONVERT(i64x8, LOAD(i32x8, change)));
      totals += 8;
    }
  }
}
