// Tokens between records and columns, as load.go defines it, for records of 32 and 64 bits. Most segments have a few
// tokens, so that loops over them are better left alone by the compiler.
#include "go.h"
#include "vector.h"

// columns are the columns of recordArgs. Missing ones are all old, where rubbish does no harm.
typedef struct {
  uint32_t *at, *block, *z, *p0, *p1, *p2;
  uint64_t width, mask;
} columns;

INLINE columns columnsOf(const recordArgs *a) {
  return (columns){
      a->at, a->block, a->z, a->proposal[0], a->proposal[1], a->proposal[2], a->width, (1ULL << a->width) - 1,
  };
}

// record reads a record, of eight bytes or of four.
INLINE uint64_t record(const void *records, int64_t i, int wide) {
  return wide ? ((const uint64_t *)records)[i] : ((const uint32_t *)records)[i];
}

// unpack writes a record into column n.
INLINE void unpack(const columns *c, int64_t n, uint64_t r, uint32_t at, uint32_t block, int wide) {
  c->at[n] = at;
  c->block[n] = block;
  c->z[n] = r & c->mask;
  r >>= c->width;
  c->p0[n] = r & c->mask;
  r >>= c->width;
  c->p1[n] = r & c->mask;
  if (wide) {
    c->p2[n] = r >> c->width;
  }
}

// pack writes column n into a record.
INLINE void pack(const columns *c, int64_t n, void *records, int64_t i, int wide) {
  uint64_t r = (uint64_t)c->z[n] | (uint64_t)c->p0[n] << c->width | (uint64_t)c->p1[n] << 2 * c->width;
  if (wide) {
    ((uint64_t *)records)[i] = r | (uint64_t)c->p2[n] << 3 * c->width;
  } else {
    ((uint32_t *)records)[i] = r;
  }
}

INLINE int64_t loadSegments(const recordArgs *a, int wide) {
  columns c = columnsOf(a);
  int64_t n = 0;
  for (int64_t s = 0; s < a->n; s++) {
    const Segment *seg = &a->segments[s];
    int64_t begin = a->begins[seg->Block] + seg->Begin;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t i = 0; i < seg->N; i++, n++) {
      unpack(&c, n, record(a->records, begin + i, wide), seg->Begin + i, seg->Block, wide);
    }
  }
  return n;
}

INLINE void storeSegments(const recordArgs *a, int wide) {
  columns c = columnsOf(a);
  int64_t n = 0;
  for (int64_t s = 0; s < a->n; s++) {
    const Segment *seg = &a->segments[s];
    int64_t begin = a->begins[seg->Block] + seg->Begin;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t i = 0; i < seg->N; i++, n++) {
      pack(&c, n, a->records, begin + i, wide);
    }
  }
}

INLINE void loadPlaces(const recordArgs *a, int wide) {
  columns c = columnsOf(a);
#pragma clang loop vectorize(disable) unroll(disable)
  for (int64_t i = 0; i < a->n; i++) {
    unpack(&c, i, record(a->records, a->places[i], wide), a->places[i], a->number, wide);
  }
}

INLINE void storePlaces(const recordArgs *a, int wide) {
  columns c = columnsOf(a);
#pragma clang loop vectorize(disable) unroll(disable)
  for (int64_t i = 0; i < a->n; i++) {
    pack(&c, i, a->records, c.at[i], wide);
  }
}

int64_t load64(recordArgs *a) { return loadSegments(a, 1); }
int64_t load32(recordArgs *a) { return loadSegments(a, 0); }
void store64(recordArgs *a) { storeSegments(a, 1); }
void store32(recordArgs *a) { storeSegments(a, 0); }
void loadDoc64(recordArgs *a) { loadPlaces(a, 1); }
void loadDoc32(recordArgs *a) { loadPlaces(a, 0); }
void storeDoc64(recordArgs *a) { storePlaces(a, 1); }
void storeDoc32(recordArgs *a) { storePlaces(a, 0); }

int64_t movedQuads(uint64_t *restrict dst, movedArgs *a) {
  const uint64_t *records = a->records;
  int64_t moved = 0, tokens = 0, taken = 0;
  for (; taken < a->n; taken++) {
    const Segment *seg = &a->segments[taken];
    tokens += seg->N;
    if (tokens > MostTokens) {
      break;
    }
    const uint64_t *first = records + a->begins[seg->Block] + seg->Begin;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t i = 0; i < seg->N; i++) {
      uint64_t r = first[i];
      dst[moved] = r;
      moved += (r & 0xffff) != r >> 48;
    }
  }
  a->taken = taken;
  return moved;
}

// Prefetching only tells the processor what will be read soon.

void prefetchRecords(recordArgs *a, uint64_t shift) {
  for (int64_t s = 0; s < a->n; s++) {
    const Segment *seg = &a->segments[s];
    __builtin_prefetch((const char *)a->records + ((a->begins[seg->Block] + seg->Begin) << shift));
  }
}

// prefetchLines prefetches bytes into a second-level cache.
void prefetchLines(void *p, int64_t n) {
  for (const char *line = (const char *)((uint64_t)p & ~63ULL); line < (const char *)p + n; line += 64) {
    __builtin_prefetch(line, 0, 2);
  }
}

// prefetchTopics prefetches the cells of the three topics in a record.
INLINE void prefetchTopics(const TopicCell *cells, uint64_t r, uint64_t width, uint64_t mask) {
  __builtin_prefetch(cells + (r & mask));
  __builtin_prefetch(cells + (r >> width & mask));
  __builtin_prefetch(cells + (r >> 2 * width & mask));
}

void prefetchCells64(recordArgs *a, TopicCell *cells) {
  uint64_t mask = (1ULL << a->width) - 1;
  for (int64_t s = 0; s < a->n; s++) {
    const Segment *seg = &a->segments[s];
    int64_t begin = a->begins[seg->Block] + seg->Begin;
    for (uint32_t i = 0; i < seg->N; i++) {
      prefetchTopics(cells, record(a->records, begin + i, 1), a->width, mask);
    }
  }
}

void prefetchDocCells64(recordArgs *a, TopicCell *cells) {
  uint64_t mask = (1ULL << a->width) - 1;
  for (int64_t i = 0; i < a->n; i++) {
    prefetchTopics(cells, record(a->records, a->places[i], 1), a->width, mask);
  }
}
