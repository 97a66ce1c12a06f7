#include "warp_packed_words.h"

PACKED_WORDS(10x2, 10, 2)
