// The word phase of groups of words for tokens of kind 16x1 (see warp_packed_words.h).
#include "warp_packed_words.h"

PACKED_WORDS(16x1, 16, 1)
