// The kernels of listed.go; the portable Go there is their specification.
#include "go.h"
#include "vector.h"

void words(listed *l) {
  f32x16 moved = {};
  uint32_t *topics = l->topics.at;
  float *s = l->s.at, *gamma = l->gamma.at, *held = l->held.at;
  float *x = l->x.at, *was = l->was.at;
  float scales = 0;
  for (int64_t j = 0; j < l->sizes.len; j++) {
    int64_t size = l->sizes.at[j];
    f32x16 sums = {};
    for (int64_t i = 0; i < size; i += lanes) {
      f32x16 now;
#pragma clang loop unroll(full)
      for (int k = 0; k < lanes; k++) {
        now[k] = held[topics[i + k]];
      }
      f32x16 weight = above0(now - LOAD(f32x16, gamma + i)) * LOAD(f32x16, s + i);
      STORE(was + i, now);
      STORE(x + i, weight);
      sums += weight;
    }
    float count = l->counts.at[j], sum = halved(sums);
    float scale = 1 / (l->own * l->mean + sum);
    scales += count * scale;
    sum = sum * scale;
    l->own += (sum - l->sums.at[j]) * count * l->keep;
    l->sums.at[j] = sum;
    for (int64_t i = 0; i < size; i += lanes) {
      f32x16 g = LOAD(f32x16, x + i) * scale;
      f32x16 change = (g - LOAD(f32x16, gamma + i)) * count;
      f32x16 next = LOAD(f32x16, was + i) + change;
      STORE(gamma + i, g);
#pragma clang loop unroll(full)
      for (int k = 0; k < lanes; k++) {
        held[topics[i + k]] = next[k];
      }
      moved += absolute(change);
    }
    topics += size;
    s += size;
    gamma += size;
  }
  l->scale = scales;
  l->moved = halved(moved);
}

// ownOf is listed.ownAt.
INLINE f32x16 ownOf(f32x16 held, f32x16 alpha, float keep) { return above0(held - alpha) * keep + alpha; }

void spread(listed *l) {
  f32x16 moved = {}, own = {}, weight = {};
  for (int64_t k = 0; k < l->b.len; k += lanes) {
    f32x16 b = LOAD(f32x16, l->b.at + k), held = LOAD(f32x16, l->held.at + k), alpha = LOAD(f32x16, l->alpha.at + k);
    f32x16 rest = ownOf(held, alpha, l->keep) * b * l->scale;
    f32x16 change = rest - LOAD(f32x16, l->rest.at + k);
    held += change;
    STORE(l->rest.at + k, rest);
    STORE(l->held.at + k, held);
    moved += absolute(change);
    f32x16 now = ownOf(held, alpha, l->keep);
    own += now;
    weight += now * b;
  }
  l->own = halved(own);
  l->mean = halved(weight) / l->own;
  l->moved += halved(moved);
}
