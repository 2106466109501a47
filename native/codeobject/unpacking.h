// Decompression by the system's libzstd and libz, which are looked for when they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "codeobject/image_bytes.h"

namespace greta::codeobject {

// As the compressed bundle numbers them.
enum class Compression : uint16_t { zlib = 0, zstd = 1 };

struct Unpacked {
  std::unique_ptr<unsigned char[]> bytes;  // null if it failed
  size_t size = 0;
  std::string problem;
};

// `size` is what the packed bytes must become, to the byte.
Unpacked unpack(Compression compression, const ByteVector& packed, size_t size);

}  // namespace greta::codeobject
