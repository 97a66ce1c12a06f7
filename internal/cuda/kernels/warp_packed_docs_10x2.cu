#include "warp_packed_docs.h"

PACKED_DOCS(10x2, 10, 2)
