// Vectors for kernels in C. A vector has as many elements as the portable Go beside a kernel has lanes, whatever the
// registers of the machine: the compiler divides it among them, and every operation rounds as Go's does.
//
// A comparison gives -1 where it holds and 0 elsewhere, as whole numbers of the same width.
#pragma once

typedef float f32x16 __attribute__((vector_size(64)));
typedef int32_t i32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef int8_t i8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef int64_t i64x16 __attribute__((vector_size(128)));
typedef uint64_t u64x16 __attribute__((vector_size(128)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x4 __attribute__((vector_size(32)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

// LOAD and STORE move a vector of a type from and to memory, on any boundary.
#define LOAD(type, p)                                \
  ({                                                 \
    type loaded_;                                    \
    __builtin_memcpy(&loaded_, (p), sizeof loaded_); \
    loaded_;                                         \
  })
#define STORE(p, v)                                  \
  ({                                                 \
    __typeof__(v) stored_ = (v);                     \
    __builtin_memcpy((p), &stored_, sizeof stored_); \
  })

// CONVERT turns numbers into numbers of another kind, BITS keeps their bits.
#define CONVERT(type, v) __builtin_convertvector((v), type)
#define BITS(type, v) ((type)(v))

// above0 is max(0, x), for x that are numbers.
INLINE f32x16 above0(f32x16 x) { return BITS(f32x16, BITS(i32x16, x) & (x > 0)); }

// absolute is |x|.
INLINE f32x16 absolute(f32x16 x) { return BITS(f32x16, BITS(u32x16, x) & 0x7fffffffU); }

// halved adds sixteen lanes up as Go's kernels do: l and l + 8 first, then l and l + 4, …
INLINE float halved(f32x16 x) {
  f32x8 a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
            __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  f32x4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return (b[0] + b[2]) + (b[1] + b[3]);
}

// prefetch tells the processor that a place will be read soon.
#define PREFETCH(p) __builtin_prefetch(p)
