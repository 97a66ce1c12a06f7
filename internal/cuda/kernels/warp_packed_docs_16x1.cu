#include "warp_packed_docs.h"

PACKED_DOCS(16x1, 16, 1)
