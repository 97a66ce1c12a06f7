// A driver library for tests: what package cuda needs of libcuda, with memory of the
// host, kernels that do nothing, and faults on demand.
//
//   FAKECUDA_VERSION=10020               the CUDA version it speaks; 12040 unless set
//   FAKECUDA_FAIL=cuMemAlloc_v2:3:2      the third call of a function and all later ones
//                                        give this code; from 700 on, where a context ends,
//                                        so do all calls of other functions
//   FAKECUDA_MEMORY=1000000              bytes of device memory; 2^33 unless set
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Code;
static Code lost;
static long long used;

static long long setting(const char *name, long long otherwise) {
  const char *text = getenv(name);
  return text ? atoll(text) : otherwise;
}

static Code fault(const char *name, int *calls) {
  char which[64];
  int first, code;
  ++*calls;
  if (lost) return lost;
  const char *text = getenv("FAKECUDA_FAIL");
  if (!text || sscanf(text, "%63[^:]:%d:%d", which, &first, &code) != 3) return 0;
  if (strcmp(which, name) != 0 || *calls < first) return 0;
  if (code >= 700) lost = code;
  return code;
}

#define CALL(name, parameters, ...)              \
  Code name parameters {                         \
    static int calls;                            \
    const Code code = fault(#name, &calls);      \
    if (code) return code;                       \
    __VA_ARGS__                                  \
    return 0;                                    \
  }

static const struct {
  Code code;
  const char *name, *text;
} names[] = {
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
};

Code cuGetErrorName(Code code, const char **text) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return *text = names[i].name, 0;
  return 1;
}
Code cuGetErrorString(Code code, const char **text) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return *text = names[i].text, 0;
  return 1;
}

CALL(cuInit, (unsigned flags), (void)flags;)
CALL(cuDriverGetVersion, (int *version), *version = (int)setting("FAKECUDA_VERSION", 12040);)
CALL(cuDeviceGetCount, (int *count), *count = 1;)
CALL(cuDeviceGet, (int *device, int ordinal), *device = ordinal;)
CALL(cuDeviceGetName, (char *name, int size, int device), (void)device; snprintf(name, (size_t)size, "Test card");)
CALL(cuDeviceGetAttribute, (int *value, int attribute, int device), (void)device; switch (attribute) {
  case 75: *value = 9; break;             // compute capability
  case 76: *value = 0; break;
  case 97: *value = 227 << 10; break;     // shared memory of a block
  default: *value = 4;
})
CALL(cuDeviceTotalMem_v2, (size_t *bytes, int device), (void)device;
     *bytes = (size_t)setting("FAKECUDA_MEMORY", 1ll << 33);)
CALL(cuDeviceGetUuid, (unsigned char *id, int device), (void)device; memset(id, 0, 16);)
CALL(cuDevicePrimaryCtxRetain, (void **context, int device), (void)device; *context = &lost;)
CALL(cuDevicePrimaryCtxRelease_v2, (int device), (void)device;)
CALL(cuCtxSetCurrent, (void *context), (void)context;)
CALL(cuCtxSynchronize, (void), )
CALL(cuMemGetInfo_v2, (size_t *left, size_t *total), *total = (size_t)setting("FAKECUDA_MEMORY", 1ll << 33);
     *left = *total - (size_t)used;)
CALL(cuMemAlloc_v2, (uint64_t *address, size_t bytes),
     if (used + (long long)bytes > setting("FAKECUDA_MEMORY", 1ll << 33)) return 2;
     used += (long long)bytes; *address = (uint64_t)(uintptr_t)calloc(bytes, 1);)
CALL(cuMemFree_v2, (uint64_t address), free((void *)(uintptr_t)address);)
CALL(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags), (void)flags; *memory = calloc(bytes, 1);)
CALL(cuMemFreeHost, (void *memory), free(memory);)
CALL(cuMemcpyHtoDAsync_v2, (uint64_t to, const void *from, size_t bytes, void *stream), (void)stream;
     memcpy((void *)(uintptr_t)to, from, bytes);)
CALL(cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes, void *stream), (void)stream;
     memcpy(to, (void *)(uintptr_t)from, bytes);)
CALL(cuMemsetD8Async, (uint64_t to, unsigned char value, size_t bytes, void *stream), (void)stream;
     memset((void *)(uintptr_t)to, value, bytes);)
CALL(cuMemsetD32Async, (uint64_t to, unsigned value, size_t count, void *stream), (void)stream;
     for (size_t i = 0; i < count; i++) ((unsigned *)(uintptr_t)to)[i] = value;)
CALL(cuStreamCreate, (void **stream, unsigned flags), (void)flags; *stream = &lost;)
CALL(cuStreamDestroy_v2, (void *stream), (void)stream;)
CALL(cuStreamSynchronize, (void *stream), (void)stream;)
CALL(cuStreamWaitEvent, (void *stream, void *event, unsigned flags), (void)stream; (void)event; (void)flags;)
CALL(cuEventCreate, (void **event, unsigned flags), (void)flags; *event = &lost;)
CALL(cuEventDestroy_v2, (void *event), (void)event;)
CALL(cuEventRecord, (void *event, void *stream), (void)event; (void)stream;)
CALL(cuEventSynchronize, (void *event), (void)event;)
CALL(cuEventQuery, (void *event), (void)event;)
CALL(cuEventElapsedTime, (float *ms, void *from, void *to), (void)from; (void)to; *ms = 0;)
CALL(cuModuleLoadDataEx, (void **module, const void *text, unsigned n, int *options, void **values), (void)text; (void)n;
     (void)options; (void)values; *module = &lost;)
CALL(cuModuleUnload, (void *module), (void)module;)
CALL(cuModuleGetFunction, (void **function, void *module, const char *name), (void)module; (void)name; *function = &lost;)
CALL(cuFuncGetAttribute, (int *value, int attribute, void *function), (void)attribute; (void)function; *value = 0;)
CALL(cuFuncSetAttribute, (void *function, int attribute, int value), (void)function; (void)attribute; (void)value;)
CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, void *function, int threads, size_t shared),
     (void)function; (void)threads; (void)shared; *blocks = 1;)
CALL(cuLaunchKernel,
     (void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
      void *stream, void **arguments, void **extra),
     (void)function; (void)x; (void)y; (void)z; (void)bx; (void)by; (void)bz; (void)shared; (void)stream;
     (void)arguments; (void)extra;)
