// The names of ../../device.h for the CPU: every thread of a block is a fiber, and
// the fibers of a warp meet at each exchange. emulate.cc is the other half.
#pragma once
#include <cmath>
#include <cstring>

#define __global__ __attribute__((visibility("default")))
#define __device__ inline __attribute__((always_inline))
#define __launch_bounds__(threads, blocks)
#define __shared__

namespace emulate {
struct Place {
  u32 thread, threads, block, blocks;
};
const Place &place();               // of the running fiber
u64 exchange(u64 value, u32 lane);  // the value that another lane of the warp gives
u32 where(bool condition);          // lanes of the warp, as bits
void barrier();                     // of the block

template <class T>
inline T exchange(T value, u32 lane) {
  u64 bits = 0;
  memcpy(&bits, &value, sizeof value);
  bits = exchange(bits, lane);
  memcpy(&value, &bits, sizeof value);
  return value;
}
}  // namespace emulate

__device__ u32 threadInBlock() { return emulate::place().thread; }
__device__ u32 threadsPerBlock() { return emulate::place().threads; }
__device__ u32 blockInGrid() { return emulate::place().block; }
__device__ u32 blocksPerGrid() { return emulate::place().blocks; }
__device__ void syncBlock() { emulate::barrier(); }
__device__ u32 lanesWhere(bool condition) { return emulate::where(condition); }
__device__ bool anyLane(bool condition) { return emulate::where(condition) != 0; }
__device__ void syncWarp() { emulate::where(false); }

template <class T>
__device__ T fromLane(T value, u32 lane) {
  return emulate::exchange<T>(value, lane % kLanes);
}

template <class T>
__device__ T fromLaneXor(T value, u32 bits) {
  return emulate::exchange<T>(value, (threadInBlock() % kLanes) ^ bits);
}

__device__ double squareRoot(double x) { return sqrt(x); }

__device__ void atomicAdd(u32 *address, u32 value) { *address += value; }  // fibers take turns

__device__ u32 fetchAdd(u32 *address, u32 value) {
  const u32 held = *address;
  *address += value;
  return held;
}

__device__ u32 atomicReplace(u32 *address, u32 expected, u32 value) {
  const u32 held = *address;
  if (held == expected) *address = value;
  return held;
}

template <class T>
__device__ T readOnly(const T *address) {
  return *address;
}
