// What the kernels need of CUDA, written with clang's builtins so that neither
// the CUDA toolkit nor its headers are needed to compile them. Compiled as plain
// C++ the same names run on the CPU (emulate/runtime).
#pragma once

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

const u32 kLanes = 32;  // W, the lanes of a warp

#ifdef __CUDA__

#define __global__ __attribute__((global))
#define __device__ __attribute__((device, always_inline)) inline
#define __launch_bounds__(threads, blocks) __attribute__((launch_bounds(threads, blocks)))
#define __shared__ __attribute__((shared))

const u32 kAllLanes = 0xffffffffu;  // mask of every lane

// Where this thread is. Launches have one dimension.
__device__ u32 threadInBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ u32 threadsPerBlock() { return __nvvm_read_ptx_sreg_ntid_x(); }
__device__ u32 blockInGrid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ u32 blocksPerGrid() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// Barrier of the block; orders its memory accesses.
__device__ void syncBlock() { __syncthreads(); }

// Whether the condition holds in any lane of the warp. All lanes must call
// together, here and below.
__device__ bool anyLane(bool condition) { return __nvvm_vote_any_sync(kAllLanes, condition); }

// The lanes in which the condition holds, as bits.
__device__ u32 lanesWhere(bool condition) { return __nvvm_vote_ballot_sync(kAllLanes, condition); }

// Barrier of the warp; orders its memory accesses.
__device__ void syncWarp() { __nvvm_bar_warp_sync(kAllLanes); }

// The value that another lane holds.
__device__ u32 fromLane(u32 value, u32 lane) { return __nvvm_shfl_sync_idx_i32(kAllLanes, value, lane, 31); }
__device__ float fromLane(float value, u32 lane) { return __nvvm_shfl_sync_idx_f32(kAllLanes, value, lane, 31); }
__device__ double fromLane(double value, u32 lane) {
  const u64 bits = __builtin_bit_cast(u64, value);
  const u64 low = fromLane((u32)bits, lane), high = fromLane((u32)(bits >> 32), lane);
  return __builtin_bit_cast(double, high << 32 | low);
}

// The value of the lane whose number differs in the given bits.
__device__ float fromLaneXor(float value, u32 bits) { return __nvvm_shfl_sync_bfly_f32(kAllLanes, value, bits, 31); }
__device__ double fromLaneXor(double value, u32 bits) {
  const u64 raw = __builtin_bit_cast(u64, value);
  const u32 low = __nvvm_shfl_sync_bfly_i32(kAllLanes, (u32)raw, bits, 31);
  const u32 high = __nvvm_shfl_sync_bfly_i32(kAllLanes, (u32)(raw >> 32), bits, 31);
  return __builtin_bit_cast(double, (u64)high << 32 | low);
}

// Rounded to the nearest number, as Go's math.Sqrt.
__device__ double squareRoot(double x) { return __nvvm_sqrt_rn_d(x); }

// Adds to memory that other threads add to as well.
__device__ void atomicAdd(u32 *address, u32 value) { __nvvm_atom_add_gen_i((int *)address, (int)value); }

// The same, and gives what the memory held before.
__device__ u32 fetchAdd(u32 *address, u32 value) { return (u32)__nvvm_atom_add_gen_i((int *)address, (int)value); }

// Writes value if the memory still holds expected; gives what it held.
__device__ u32 atomicReplace(u32 *address, u32 expected, u32 value) {
  return (u32)__nvvm_atom_cas_gen_i((int *)address, (int)expected, (int)value);
}

// Reads memory that nothing writes during the launch, past the ordering with
// other accesses.
__device__ u32 readOnly(const u32 *address) { return (u32)__nvvm_ldg_ui(address); }
__device__ float readOnly(const float *address) { return __nvvm_ldg_f(address); }
__device__ u32 readOnly(const u16 *address) { return (u32)__nvvm_ldg_us(address); }
__device__ double readOnly(const double *address) { return __nvvm_ldg_d(address); }

#else
#include "emulate/runtime/device.h"
#endif

// Four numbers that are read and written together.
struct alignas(16) Four {
  u32 x[4];
};

// The dynamic shared memory of the block, as large as the launch says.
extern __shared__ __attribute__((aligned(16))) u32 dynamicShared[];

__device__ u32 threadInGrid() { return blockInGrid() * threadsPerBlock() + threadInBlock(); }
__device__ u32 threadsPerGrid() { return blocksPerGrid() * threadsPerBlock(); }
__device__ u32 laneInWarp() { return threadInBlock() % kLanes; }
__device__ u32 minimum(u32 a, u32 b) { return a < b ? a : b; }
