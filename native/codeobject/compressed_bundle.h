// The compressed offload bundle (clang --offload-compress): a bundle, packed, behind a header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codeobject/image_bytes.h"
#include "codeobject/unpacking.h"

namespace greta::codeobject {

constexpr std::string_view kCompressedMagic = "CCOB";

struct CompressedHeader {
  Compression compression = Compression::zstd;
  uint64_t header_bytes = 0;
  uint64_t total_bytes = 0;  // header included
  uint64_t unpacked_bytes = 0;
};

// False, with the reason, if it is of a kind that cannot be read.
bool read_compressed_header(const ImageBytes& image, CompressedHeader* header, std::string* reason);

// The bundle inside.
Unpacked unpack_bundle(const ImageBytes& image, const CompressedHeader& header);

}  // namespace greta::codeobject
