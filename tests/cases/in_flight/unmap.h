// Pages that are gone.
#pragma once

#include <sys/mman.h>

#include "gpu.h"

// Nobody else gets the addresses: what is there afterwards does not depend on luck.
inline void unmap(void* pages, size_t bytes) {
  mmap(pages, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}
