#include "warp_packed_docs.h"

PACKED_DOCS(16x2, 16, 2)
