// The kernels of kernel.go; the portable Go there is their specification. Every length is a multiple of lanes.
#include "go.h"
#include "vector.h"

float dot(float *a, float *b, int64_t k) {
  f32x16 sums = {};
  for (int64_t i = 0; i < k; i += lanes) {
    sums += LOAD(f32x16, a + i) * LOAD(f32x16, b + i);
  }
  return halved(sums);
}

void reduce(float *row, float *theta, float *background, float *inverse, int64_t k, float factor) {
  for (int64_t i = 0; i < k; i += lanes) {
    f32x16 phi = LOAD(f32x16, row + i), least = LOAD(f32x16, background + i);
    f32x16 left = phi - LOAD(f32x16, theta + i) * factor * phi * LOAD(f32x16, inverse + i);
    i32x16 more = left > least;
    STORE(row + i, BITS(f32x16, (BITS(i32x16, left) & more) | (BITS(i32x16, least) & ~more)));
  }
}

void reestimate(float *theta, float *next, float *alpha, int64_t k) {
  for (int64_t i = 0; i < k; i += lanes) {
    STORE(theta + i, LOAD(f32x16, alpha + i) + LOAD(f32x16, theta + i) * LOAD(f32x16, next + i));
  }
}

void responsibilities(float *next, float *theta, float *phi, float *counts, int64_t k, int64_t rows) {
  for (int64_t u = 0; u < rows; u++, phi += k) {
    f32x16 sums = {};
    for (int64_t i = 0; i < k; i += lanes) {
      sums += LOAD(f32x16, theta + i) * LOAD(f32x16, phi + i);
    }
    float g = counts[u] / halved(sums);
    for (int64_t i = 0; i < k; i += lanes) {
      STORE(next + i, LOAD(f32x16, next + i) + LOAD(f32x16, phi + i) * g);
    }
  }
}
