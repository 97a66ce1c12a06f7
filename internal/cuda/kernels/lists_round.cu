// What the tokens of a mini-batch of lists are drawn from, made of n_k and n_wk before. Portable Go: listRound in
// internal/sampler/batch; every float is rounded as there. The arrays are those of Frozen in lists.h.
#include "draw32.h"

const u64 kWholeBits = 40;  // of the largest Q_k: wholeBits

// The sum over the lanes: draw32.Sum.
__device__ float sum32(float x) {
#pragma unroll
  for (u32 s = 1; s < kLanes; s *= 2) x += fromLaneXor(x, s);
  return x;
}

// What the mini-batch takes from n_k, by one block of threads, with a number of shared memory for each: listRound.begin.
// The number of threads is a power of two.
extern "C" __global__ void __launch_bounds__(1024, 1)
    lists_round_begin(const u32 *nk, const float *alpha, u32 K, u32 pad, u64 vbetaBits, u64 betaBits, float *inv,
                      float *smooth, u64 *whole, float *base, float *restScale) {
  const double vbeta = __builtin_bit_cast(double, vbetaBits), beta = __builtin_bit_cast(double, betaBits);
  const u32 thread = threadInBlock(), threads = threadsPerBlock();
  u32 least = 0xffffffffu;
  for (u32 k = thread; k < K; k += threads) least = minimum(least, nk[k]);
  dynamicShared[thread] = least;
  syncBlock();
  for (u32 s = threads / 2; s > 0; s /= 2) {
    if (thread < s) dynamicShared[thread] = minimum(dynamicShared[thread], dynamicShared[thread + s]);
    syncBlock();
  }
  // The largest inv_k is below 2^(exponent-1022) and not below half of it.
  const u64 exponent = __builtin_bit_cast(u64, 1 / ((double)dynamicShared[0] + vbeta)) >> 52;
  const double factor = __builtin_bit_cast(double, (kWholeBits + 1022 - exponent + 1023) << 52);
  for (u32 k = thread; k < K; k += threads) {
    const double exact = 1 / ((double)nk[k] + vbeta);
    inv[k] = (float)exact;
    smooth[k] = alpha[k] * (float)exact;
    whole[k] = (u64)__builtin_rint(exact * factor);
  }
  if (thread == 0) *restScale = (float)(beta / factor);
  syncBlock();
  for (u32 g = thread / kLanes; g < pad / kLanes; g += threads / kLanes) {
    const float sum = sum32(smooth[g * kLanes + laneInWarp()] * (float)beta);
    if (laneInWarp() == 0) base[g] = sum;
  }
}

const u32 kAhead = 8;  // groups of a row that are read at once; divides 32

// What it takes from the rows of n_wk, by a warp for each word: listRound.prepareGo.
extern "C" __global__ void __launch_bounds__(256, 8)
    lists_round_words(const u32 *nwk, const float *smooth, const float *base, u32 V, u32 pad, u32 beta, u16 *cells,
                      u32 *bits, float *sums, float *totals) {
  const u32 lane = laneInWarp(), groups = pad / kLanes;
  const float b = __builtin_bit_cast(float, beta);
  for (u32 w = threadInGrid() / kLanes; w < V; w += threadsPerGrid() / kLanes) {
    const u32 *row = nwk + w * (u64)pad + lane;
    u32 has = 0;
    float sum = 0, mine = 0;  // of the lane's group, one of 32
    for (u32 c = 0; c < groups; c += kAhead) {
      u32 n[kAhead];
#pragma unroll
      for (u32 i = 0; i < kAhead; i++) n[i] = c + i < groups ? readOnly(row + (c + i) * kLanes) : 0;
#pragma unroll
      for (u32 i = 0; i < kAhead; i++) {
        const u32 g = c + i, here = lanesWhere(n[i] > 0);
        if (g >= groups) break;
        cells[w * (u64)pad + g * kLanes + lane] = minimum(n[i], 0xffff);
        if (here == 0)
          sum += readOnly(base + g);
        else
          sum += sum32(readOnly(smooth + g * kLanes + lane) * ((float)n[i] + b));
        if (lane == g % kLanes) {
          has |= here;
          mine = sum;
        }
      }
      const u32 end = minimum(c + kAhead, groups), from = (end - 1) / kLanes * kLanes;
      if ((end % kLanes == 0 || end == groups) && from + lane < groups) sums[w * (u64)groups + from + lane] = mine;
    }
    bits[w * (u64)kLanes + lane] = has;
    if (lane == 0) totals[w] = sum;
  }
}
