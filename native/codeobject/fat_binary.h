// What compilers give to __hipRegisterFatBinary: a pointer to the image, behind a magic number.
#pragma once

#include <cstdint>

#include "codeobject/memory_reader.h"

namespace greta::codeobject {

struct FatBinaryWrapper {
  static constexpr uint32_t kMagic = 0x48495046;  // "HIPF"
  static constexpr uint32_t kVersion = 1;

  uint32_t magic;
  uint32_t version;
  const void* binary;
  void* unused;

  bool is_valid() const { return magic == kMagic && version == kVersion; }
};

// The image; null if `wrapper` cannot be read or is not one.
inline const void* find_wrapped_image(const MemoryReader& memory, const void* wrapper) {
  FatBinaryWrapper copy;
  if (!memory.read(reinterpret_cast<uintptr_t>(wrapper), &copy, sizeof copy)) return nullptr;
  return copy.is_valid() ? copy.binary : nullptr;
}

}  // namespace greta::codeobject
