// The word phase of groups of words for tokens of kind 10x2 (see warp_packed_words.h).
#include "warp_packed_words.h"

PACKED_WORDS(10x2, 10, 2)
