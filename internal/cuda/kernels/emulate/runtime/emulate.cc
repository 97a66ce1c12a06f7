// Runs kernels on the CPU, so that they can be tested where there is no GPU. The
// kernels are compiled as C++ and linked to this program, which serves launches
// read from standard input until it ends. All numbers are little-endian.
//
//   request  u32 length of the name, name, u32 blocks, u32 threads, u32 arguments,
//            and for each: u64 bytes of a buffer, buffer; or u64 ~0, u64 value
//   reply    a zero byte, then the buffers as the kernel left them, in order
//
// Blocks run one after the other. The threads of a block are fibers that run in
// turn and change only where they wait for each other, so races between them are
// not found; that some wait for others that never come is.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <string>
#include <vector>

#include "../../device.h"

// A Position is where a fiber goes on. The compiler's own setjmp takes half the time of
// the library's, where it has one.
#ifdef __x86_64__
typedef void *Position[5];
#define SAVE(position) __builtin_setjmp(position)
#define GO_ON(position) __builtin_longjmp(position, 1)
#else
typedef jmp_buf Position;
#define SAVE(position) _setjmp(position)
#define GO_ON(position) _longjmp(position, 1)
#endif

__attribute__((aligned(16))) u32 dynamicShared[64 * 1024];

namespace emulate {
namespace {

const u32 kMaxArguments = 32;
const size_t kStack = 256 << 10;
const u32 kMaxThreads = 1024;

typedef void (*Kernel)(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
                       u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64);

// Meeting counts the fibers of a warp or block that wait for the rest.
struct Meeting {
  u32 size, arrived, round;
};

// Fibers are started by ucontext, once for all launches, and change by setjmp, which
// unlike swapcontext makes no system call.
struct Fiber {
  Position position;
  Place place;
  bool started, finished;
  u32 exchanges;  // so far, whose parity picks a column of Warp.given
};

struct Warp {
  Meeting meeting;
  u64 given[2][kLanes];
};

Kernel kernel;
u64 arguments[kMaxArguments];
Position scheduler;
std::vector<Fiber> fibers(kMaxThreads);
std::vector<Warp> warps(kMaxThreads / kLanes);
Meeting block;
u32 running;
u64 progress;  // grows whenever a fiber gets on

[[noreturn]] void fail(const std::string &reason) {
  fprintf(stderr, "emulate: %s\n", reason.c_str());
  exit(1);
}

// yield lets the scheduler run the next fiber.
__attribute__((noinline)) void yield() {
  if (SAVE(fibers[running].position) == 0) GO_ON(scheduler);
}

void runFiber();

// resume runs the fiber until it yields.
__attribute__((noinline)) void resume(Fiber &f) {
  if (SAVE(scheduler) != 0) return;
  if (f.started) GO_ON(f.position);
  f.started = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = malloc(kStack);  // as long as the program runs
  context.uc_stack.ss_size = kStack;
  context.uc_link = nullptr;
  makecontext(&context, runFiber, 0);
  setcontext(&context);
}

// meet returns when all fibers of the meeting have called it.
void meet(Meeting &m) {
  const u32 round = m.round;
  progress++;
  if (++m.arrived == m.size) {
    m.arrived = 0;
    m.round++;
    return;
  }
  while (m.round == round) yield();
  progress++;
}

// runFiber runs a thread of one block after the other.
void runFiber() {
  for (const u64 *a = arguments;;) {
    kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
           a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
    fibers[running].finished = true;
    progress++;
    yield();
  }
}

void runBlock(u32 index, u32 blocks, u32 threads) {
  block = {threads, 0, 0};
  for (u32 w = 0; w < threads / kLanes; w++) warps[w].meeting = {kLanes, 0, 0};
  for (u32 t = 0; t < threads; t++) {
    Fiber &f = fibers[t];
    f.place = {t, threads, index, blocks};
    f.finished = false;
    f.exchanges = 0;
  }
  for (u32 left = threads; left > 0;) {
    const u64 before = progress;
    left = 0;
    for (running = 0; running < threads; running++) {
      if (!fibers[running].finished) resume(fibers[running]);
      left += !fibers[running].finished;
    }
    if (progress == before) fail("threads wait for others that never come");
  }
}

void readAll(void *to, size_t n) {
  if (fread(to, 1, n, stdin) != n) fail("the request ends early");
}

template <class T>
T readNumber() {
  T x;
  readAll(&x, sizeof x);
  return x;
}

// serve reads and runs one launch; false at the end of the input.
bool serve() {
  u32 length;
  if (fread(&length, 1, sizeof length, stdin) != sizeof length) return false;
  std::string name(length, 0);
  readAll(&name[0], length);
  kernel = (Kernel)dlsym(RTLD_DEFAULT, name.c_str());
  if (kernel == nullptr) fail("no kernel " + name);
  const u32 blocks = readNumber<u32>(), threads = readNumber<u32>(), count = readNumber<u32>();
  if (count > kMaxArguments) fail("too many arguments");
  if (threads > kMaxThreads || threads % kLanes != 0) fail("threads must be whole warps");
  std::vector<std::vector<char>> buffers;
  buffers.reserve(count);
  for (u32 i = 0; i < count; i++) {
    const u64 bytes = readNumber<u64>();
    if (bytes == ~0ull) {
      arguments[i] = readNumber<u64>();
      continue;
    }
    buffers.emplace_back(bytes);
    readAll(buffers.back().data(), bytes);
    arguments[i] = (u64)buffers.back().data();
  }
  for (u32 b = 0; b < blocks; b++) runBlock(b, blocks, threads);
  fputc(0, stdout);
  for (const auto &b : buffers) fwrite(b.data(), 1, b.size(), stdout);
  fflush(stdout);
  return true;
}

}  // namespace

const Place &place() { return fibers[running].place; }

u64 exchange(u64 value, u32 lane) {
  Fiber &f = fibers[running];
  Warp &w = warps[f.place.thread / kLanes];
  u64 *given = w.given[f.exchanges++ % 2];
  given[f.place.thread % kLanes] = value;
  meet(w.meeting);
  return given[lane];
}

u32 where(bool condition) {
  u32 lanes = 0;
  Fiber &f = fibers[running];
  Warp &w = warps[f.place.thread / kLanes];
  u64 *given = w.given[f.exchanges++ % 2];
  given[f.place.thread % kLanes] = condition;
  meet(w.meeting);
  for (u32 lane = 0; lane < kLanes; lane++) lanes |= (u32)(given[lane] != 0) << lane;
  return lanes;
}

void barrier() { meet(block); }

}  // namespace emulate

int main() {
  while (emulate::serve()) {
  }
  return 0;
}
