// The doc phase of tokens of kind 16x1 (see warp_packed_docs.h).
#include "warp_packed_docs.h"

PACKED_DOCS(16x1, 16, 1)
