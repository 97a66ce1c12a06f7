// The kernels of tile.go; the portable Go there is their specification.
#include "go.h"
#include "vector.h"

// lanes32 are the 32 lanes of a draw, low and high half.
typedef struct {
  f32x16 low, high;
} lanes32;

static const i32x16 laneNumbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// BELOW has the lanes n below those of x, and 0 where there are none. Adding it to x is a doubling step of a prefix
// sum.
#define BELOW1(x) __builtin_shufflevector((f32x16){}, x, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define BELOW2(x) __builtin_shufflevector((f32x16){}, x, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
#define BELOW4(x) __builtin_shufflevector((f32x16){}, x, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
#define BELOW8(x) __builtin_shufflevector((f32x16){}, x, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23)

// prefix16 makes prefix sums of sixteen lanes.
INLINE f32x16 prefix16(f32x16 x) {
  x += BELOW1(x);
  x += BELOW2(x);
  x += BELOW4(x);
  return x + BELOW8(x);
}

// added adds up whole numbers.
INLINE int32_t added(i32x16 x) { return __builtin_reduce_add(x); }

// running makes the running sums of the lanes' weights in cum, and returns the lanes' sums.
INLINE lanes32 running(const float *d, const float *row, float *cum, int64_t kpad) {
  lanes32 sums = {};
  for (int64_t k = 0; k < kpad; k += Lanes) {
    sums.low += LOAD(f32x16, d + k) * LOAD(f32x16, row + k);
    sums.high += LOAD(f32x16, d + k + 16) * LOAD(f32x16, row + k + 16);
    STORE(cum + k, sums.low);
    STORE(cum + k + 16, sums.high);
  }
  return sums;
}

// drawn is Draw.
INLINE int64_t drawn(TileArgs *a, const float *d, const float *row, int64_t old, float delta, float u) {
  float *cum = a->Cum.at;
  lanes32 sums = running(d, row, cum, a->Kpad);
  for (int64_t k = old; k < a->Kpad; k += Lanes) {
    cum[k] -= delta;
  }
  int32_t own = old % Lanes;
  sums.low -= BITS(f32x16, BITS(i32x16, (f32x16){} + delta) & (laneNumbers == own));
  sums.high -= BITS(f32x16, BITS(i32x16, (f32x16){} + delta) & (laneNumbers + 16 == own));

  float prefix[Lanes + 1];
  sums.low = prefix16(sums.low);
  sums.high = prefix16(sums.high) + sums.low[15];
  prefix[0] = 0;
  STORE(prefix + 1, sums.low);
  STORE(prefix + 17, sums.high);
  float t = u * sums.high[15];
  int32_t last = (a->Topics < Lanes ? a->Topics : Lanes) - 1;
  i32x16 low = (sums.low <= t) & (laneNumbers < last), high = (sums.high <= t) & (laneNumbers + 16 < last);
  int64_t k = -added(low + high);
  float r = t - prefix[k];
  int64_t topic = k;
  for (; k + Lanes < a->Topics; k += Lanes) {
    topic += cum[k] <= r ? Lanes : 0;
  }
  return topic;
}

void drawTile(TileArgs *a) {
  const float *inv = a->Inv.at;
  for (int64_t n = 0; n < a->Order.len; n++) {
    int64_t i = a->Order.at[n];
    int64_t doc = a->Docs.at[i];
    float *d = a->Dnt.at + doc * a->Kpad;
    uint16_t *ndk = a->Ndk.at + doc * a->Kpad;
    const float *row = a->Rows.at + a->RowOf.at[i] * a->Kpad;
    const float *alpha = a->Alpha.at + a->AlphaAt.at[(uint32_t)doc & a->DocMask];
    int64_t old = a->Z.at[i];

    ndk[old]--;
    float without = ((float)ndk[old] + alpha[old]) * inv[old];
    float delta = d[old] * row[old] - without * (row[old] - a->Own);
    float u = (float)(int32_t)(a->Random.at[i] >> 8) * 0x1p-24f;
    int64_t k = drawn(a, d, row, old, delta, u);

    d[old] = without;
    ndk[k]++;
    d[k] = ((float)ndk[k] + alpha[k]) * inv[k];
    a->Z.at[i] = k;
  }
}

void floatRow(float *dst, int32_t *src, int64_t n, float beta) {
  for (int64_t k = 0; k < n; k += 16) {
    STORE(dst + k, CONVERT(f32x16, LOAD(i32x16, src + k)) + beta);
  }
}

void dntRow(float *dst, uint16_t *ndk, float *alpha, float *inv, int64_t n) {
  for (int64_t k = 0; k < n; k += 16) {
    f32x16 counts = CONVERT(f32x16, LOAD(u16x16, ndk + k));
    STORE(dst + k, (counts + LOAD(f32x16, alpha + k)) * LOAD(f32x16, inv + k));
  }
}
