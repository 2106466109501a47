// Files that are written through memory: what was stored is in the file, however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::recorder {

// Maps bytes [offset, offset + bytes) of the file, which is made and made longer as needed. The
// space is really taken, so that writing cannot fail later for want of it, and the pages are there
// before the first store. No descriptor stays open: a program may close or reuse any it finds.
// Null, with the reason in errno, if it cannot be had.
void* map_file_part(const char* path, uint64_t offset, size_t bytes);

// Whether the process may write a file of that length: the system kills one that tries to pass its
// limit.
bool file_may_reach(uint64_t bytes);

void unmap(void* address, size_t bytes);

}  // namespace greta::recorder
