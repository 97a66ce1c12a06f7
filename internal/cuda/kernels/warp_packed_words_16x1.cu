#include "warp_packed_words.h"

PACKED_WORDS(16x1, 16, 1)
