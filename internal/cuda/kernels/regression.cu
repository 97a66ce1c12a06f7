// λ of a prior that depends on columns of documents (hyper.Regression): steps towards the most probable one, from
// histograms by group (statistics_groups), and the α that follow from it. Bits are those of portable Go.
#include "device.h"

// portable.Exp for -20 ≤ x ≤ 6.
__device__ double exponential(double x) {
  const double scaled = x * 1.44269504088896340736 + 0.5, whole = (double)(int)scaled;
  const double n = whole > scaled ? whole - 1 : whole;
  double r = x - n * 0x1.62e42feep-1;
  r -= n * 0x1.a39ef35793c76p-33;
  const double terms[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                          1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,     1,          1};
  double sum = 0;
#pragma unroll
  for (u32 i = 0; i < 12; i++) sum = sum * r + terms[i];
  return sum * __builtin_bit_cast(double, (u64)((int)n + 1023) << 52);
}

// ln of package hyper for normal x.
__device__ double logarithm(double x) {
  const u64 bits = __builtin_bit_cast(u64, x);
  double m = __builtin_bit_cast(double, (bits & 0xfffffffffffffull) | 0x3fe0000000000000ull);
  int e = (int)(bits >> 52) - 1022;
  if (m < 0.70710678118654752440) {
    m *= 2;
    e--;
  }
  const double s = (m - 1) / (m + 1), s2 = s * s;
  const double terms[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                          1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1};
  double series = 0;
#pragma unroll
  for (u32 i = 0; i < 12; i++) series = series * s2 + terms[i];
  return (double)e * 0.693147180559945309417232121458176568 + 2 * s * series;
}

// digamma of package hyper.
__device__ double digamma(double x) {
  double shift = 0;
  while (x < 10) {
    shift += 1 / x;
    x += 1;
  }
  const double terms[] = {-1.0 / 12, 691.0 / 32760, -1.0 / 132, 1.0 / 240, -1.0 / 252, 1.0 / 120, -1.0 / 12};
  const double y = 1 / (x * x);
  double series = 0;
#pragma unroll
  for (u32 i = 0; i < 7; i++) series = y * (series + terms[i]);
  return logarithm(x) - 0.5 / x + series - shift;
}

// α of a group with the row x and a topic: F numbers each.
__device__ double alphaOf(const double *x, const double *lambda, u32 F) {
  double sum = 0;
  for (u32 f = 0; f < F; f++) sum += readOnly(x + f) * lambda[f];
  return exponential(sum < -20 ? -20 : sum > 6 ? 6 : sum);
}

// α as draws need it: pad numbers for each group, of which K are written.
extern "C" __global__ void __launch_bounds__(128, 8)
    regression_alpha(const double *rows, const double *lambda, u32 groups, u32 K, u32 F, u32 pad, float *alpha) {
  for (u64 i = threadInGrid(); i < groups * (u64)K; i += threadsPerGrid())
    alpha[i / K * pad + i % K] = (float)alphaOf(rows + i / K * F, lambda + i % K * F, F);
}

// Adds the lanes' values to a sum, one after the other. Values beyond count are not added.
__device__ double addLanes(double sum, double value, u32 count) {
  for (u32 j = 0; j < minimum(count, kLanes); j++) sum += fromLane(value, j);
  return sum;
}

// α of every group and topic, their sum A in each group, and b of hyper.Regression.Learn. The documents of group g have
// lengths ends[g-1] … ends[g]-1: pairs of tokens and documents.
extern "C" __global__ void __launch_bounds__(128, 8)
    regression_bounds(const double *rows, const double *lambda, u32 groups, u32 K, u32 F, const u32 *ends,
                      const u32 *lengths, double *alpha, double *sums, double *b) {
  const u32 lane = laneInWarp();
  for (u32 g = blockInGrid(); g < groups; g += blocksPerGrid()) {
    double *own = alpha + g * (u64)K;
    for (u32 k = threadInBlock(); k < K; k += threadsPerBlock())
      own[k] = alphaOf(rows + g * (u64)F, lambda + k * (u64)F, F);
    syncBlock();
    if (threadInBlock() >= kLanes) continue;
    double sum = 0, bound = 0;
    for (u32 k = 0; k < K; k += kLanes) sum = addLanes(sum, k + lane < K ? own[k + lane] : 0, K - k);
    const double first = digamma(sum);
    const u32 end = ends[g];
    for (u32 i = g > 0 ? ends[g - 1] : 0; i < end; i += kLanes) {
      const u32 at = 2 * minimum(i + lane, end - 1);
      bound = addLanes(bound, (double)lengths[at + 1] * (digamma(sum + (double)lengths[at]) - first), end - i);
    }
    if (lane == 0) {
      sums[g] = sum;
      b[g] = bound;
    }
  }
}

// Σ_d [ψ(α + n_dk) − ψ(α)] of every group and topic, count of them, over the cells of histograms: see numbers of
// groupsOn. The sums are followed by the rises after the last cells, and the counts n that have these rises.
extern "C" __global__ void __launch_bounds__(128, 8)
    regression_rises(const u32 *cells, u32 most, u32 K, u32 count, const double *alphas, double *sums) {
  const u32 lane = laneInWarp();
  for (u32 i = threadInGrid() / kLanes; i < count; i += threadsPerGrid() / kLanes) {
    const u32 *row = cells + (i / K * (u64)(K + 1) + i % K) * (most + 1);
    const auto times = [=](u32 n) { return n <= most ? row[n] : 0; };
    u32 end = most + 1;  // cells from here on are empty
    while (end > 0 && !anyLane(times((end - 1) / kLanes * kLanes + lane) > 0)) end = (end - 1) / kLanes * kLanes;
    const double alpha = alphas[i];
    double rise = 0, sum = 0;
    for (u32 first = 0; first < end; first += kLanes) {
      const u32 own = times(first + lane);
      const double next = 1 / (alpha + (double)(first + lane));
      for (u32 j = 0; j < kLanes && first + j < end; j++) {
        const u32 n = fromLane(own, j);
        if (n > 0) sum += (double)n * rise;
        rise += fromLane(next, j);
      }
    }
    if (lane == 0) {
      sums[i] = sum;
      sums[count + (u64)i] = rise;
      sums[2 * (u64)count + i] = (double)end;
    }
  }
}

// Goes on with counts that have no cell: sorted pairs of the cells' number and n.
extern "C" __global__ void __launch_bounds__(128, 8)
    regression_listed(const u32 *pairs, u32 number, u32 K, u32 count, const double *alphas, double *sums) {
  for (u32 j = threadInGrid(); j < number; j += threadsPerGrid()) {
    const u32 cell = pairs[2 * (u64)j], i = cell / (K + 1) * K + cell % (K + 1);
    if (j > 0 && pairs[2 * (u64)(j - 1)] == cell) continue;  // the thread of the cell's first pair takes all
    const double alpha = alphas[i];
    double sum = sums[i], rise = sums[count + (u64)i], at = sums[2 * (u64)count + i], times = 0;
    for (u32 l = j; l < number && pairs[2 * (u64)l] == cell; l++) {
      const u32 n = pairs[2 * (u64)l + 1];
      times += 1;
      if (l + 1 < number && pairs[2 * (u64)(l + 1)] == cell && pairs[2 * (u64)(l + 1) + 1] == n) continue;
      for (; at < (double)n; at += 1) rise += 1 / (alpha + at);
      sum += times * rise;
      times = 0;
    }
    sums[i] = sum;
  }
}

const u32 kTile = 128;  // groups whose weights lie in shared memory, and threads of a block

// Newton's step of the Poisson regression of each topic, shortened as hyper's, in place. Scratch has F × (F + 1)
// numbers for each block: the matrix, and the step.
extern "C" __global__ void __launch_bounds__(128, 4)
    regression_step(const double *rows, double *lambda, u32 groups, u32 K, u32 F, const double *alphas,
                    const double *sums, const double *b, double *scratch) {
  double *weights = (double *)dynamicShared, *above = weights + kTile;
  double *matrix = scratch + blockInGrid() * (u64)F * (F + 1), *step = matrix + F * (u64)F;
  const u32 thread = threadInBlock(), chains = F * (F + 1);
  for (u32 k = blockInGrid(); k < K; k += blocksPerGrid()) {
    double *own = lambda + k * (u64)F;
    for (u32 c = thread; c < chains; c += kTile) {
      const u32 f = c % F, h = c / F;
      const double precision = f == 0 ? 0.01 : 1;
      matrix[c] = h == F ? -(own[f] * precision) : f == h ? precision : 0;
    }
    for (u32 first = 0; first < groups; first += kTile) {
      syncBlock();
      if (first + thread < groups) {
        const double alpha = alphas[(first + thread) * (u64)K + k];
        weights[thread] = b[first + thread] * alpha;
        above[thread] = sums[(first + thread) * (u64)K + k] * alpha - weights[thread];
      }
      syncBlock();
      const u32 tile = minimum(kTile, groups - first);
      for (u32 c = thread; c < chains; c += kTile) {
        const u32 f = c / F, h = c % F;  // f = F: the step
        if (h < f && f < F) continue;
        const double *x = rows + first * (u64)F;
        double sum = matrix[c];
        if (f == F) {
#pragma unroll 4
          for (u32 g = 0; g < tile; g++) sum += readOnly(x + g * F + h) * above[g];
        } else {
#pragma unroll 4
          for (u32 g = 0; g < tile; g++) sum += readOnly(x + g * F + f) * weights[g] * readOnly(x + g * F + h);
        }
        matrix[c] = sum;
      }
    }
    for (u32 i = 0; i < F; i++) {
      syncBlock();
      const double *row = matrix + i * (u64)F;
      for (u32 j = i + 1 + thread; j < F; j += kTile) {
        const double factor = row[j] / row[i];
        step[j] -= factor * step[i];
        for (u32 h = j; h < F; h++) matrix[j * (u64)F + h] -= factor * row[h];
      }
    }
    syncBlock();
    for (u32 i = F; thread == 0 && i-- > 0;) {
      double y = step[i];
      for (u32 h = i + 1; h < F; h++) y -= matrix[i * (u64)F + h] * step[h];
      step[i] = y / matrix[i * (u64)F + i];
    }
    syncBlock();
    double most = 0.5;
    for (u32 g = thread; g < groups; g += kTile) {
      double change = 0;
      for (u32 f = 0; f < F; f++) change += readOnly(rows + g * (u64)F + f) * step[f];
      if (change < 0) change = -change;
      if (change > most) most = change;
    }
    weights[thread] = most;
    syncBlock();
    for (u32 g = 0; g < kTile; g++)
      if (weights[g] > most) most = weights[g];
    for (u32 f = thread; f < F; f += kTile) own[f] += 0.5 / most * step[f];
    syncBlock();
  }
}
