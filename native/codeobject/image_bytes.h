// What a program hands over as an image: a place in some memory, and no size. Offsets and lengths
// found in it may be lies, so nothing is read without asking whether it is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codeobject/memory_reader.h"

namespace greta::codeobject {

using ByteVector = std::vector<unsigned char>;

class ImageBytes {
 public:
  // `most_bytes`: what lies further than that from a beginning is taken for a lie.
  ImageBytes(const MemoryReader& memory, uintptr_t start, uint64_t most_bytes)
      : memory_(&memory), start_(start), most_bytes_(most_bytes) {}

  bool copy(uint64_t offset, void* to, uint64_t bytes) const;

  // The same into new memory, which grows as the bytes arrive.
  std::optional<ByteVector> copy(uint64_t offset, uint64_t bytes) const;

  template <typename Structure>
  bool read(uint64_t offset, Structure* structure) const {
    return copy(offset, structure, sizeof(Structure));
  }

  bool begins_with(std::string_view magic) const;

  // What begins inside this image, as an image of its own.
  ImageBytes from(uint64_t offset) const { return {*memory_, start_ + offset, most_bytes_}; }

  uint64_t most_bytes() const { return most_bytes_; }

 private:
  const MemoryReader* memory_;
  uintptr_t start_;
  uint64_t most_bytes_;
};

}  // namespace greta::codeobject
