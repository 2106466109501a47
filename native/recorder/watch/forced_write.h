#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::recorder {

// Writes to this process's memory whatever its protection is. False if not all could be written.
bool write_by_force(uintptr_t to, const char* from, size_t bytes);

}  // namespace greta::recorder
