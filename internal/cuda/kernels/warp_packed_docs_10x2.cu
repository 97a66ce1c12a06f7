// The doc phase of tokens of kind 10x2 (see warp_packed_docs.h).
#include "warp_packed_docs.h"

PACKED_DOCS(10x2, 10, 2)
