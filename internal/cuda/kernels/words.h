// Which word a position's token has.
#pragma once
#include "device.h"

// Words says which word a position's token has. Positions of one word in one block of the grid are a
// segment.
struct Words {
  const u32 *begins;   // a bit for every position: whether a segment begins there
  const u32 *before;   // for every 32 positions: segments that begin before them
  const u32 *segment;  // the segments' words

  __device__ u32 at(u32 position) const {
    const u32 bits = readOnly(begins + position / 32) & (0xffffffffu >> (31 - position % 32));
    return readOnly(segment + readOnly(before + position / 32) + __builtin_popcount(bits) - 1);
  }
};
