#include "warp_packed_words.h"

PACKED_WORDS(16x2, 16, 2)
