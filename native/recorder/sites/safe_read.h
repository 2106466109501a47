// Reads memory of this process that may not be there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::recorder {

// False if any of it is not mapped or cannot be read. Costs a system call. Changes errno.
bool read_safely(uintptr_t from, void* to, size_t bytes);

template <typename T>
bool read_safely(uintptr_t from, T* to) {
  return read_safely(from, static_cast<void*>(to), sizeof *to);
}

}  // namespace greta::recorder
