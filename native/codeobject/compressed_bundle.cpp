#include "codeobject/compressed_bundle.h"

namespace greta::codeobject {
namespace {

constexpr uint64_t kHashBytes = 8;  // of the content; not needed to read it

struct Start {
  char magic[4];
  uint16_t version;
  uint16_t method;
};

template <typename Size>
bool read_sizes(const ImageBytes& image, CompressedHeader* header) {
  Size sizes[2];
  if (!image.read(sizeof(Start), &sizes)) return false;
  header->header_bytes = sizeof(Start) + sizeof sizes + kHashBytes;
  header->total_bytes = sizes[0];
  header->unpacked_bytes = sizes[1];
  return header->total_bytes > header->header_bytes;
}

}  // namespace

// Compressed bundle: "CCOB", u16 version, u16 method (0 zlib, 1 zstd), size of the whole file, size
// of the bundle inside, u64 hash, packed bundle. The sizes have 4 bytes in version 2 and 8 in 3.
bool read_compressed_header(const ImageBytes& image, CompressedHeader* header,
                            std::string* reason) {
  Start start;
  *reason = "its compressed bundle's header is corrupt";
  if (!image.read(0, &start) || start.method > 1) return false;
  header->compression = static_cast<Compression>(start.method);
  if (start.version == 2) return read_sizes<uint32_t>(image, header);
  if (start.version == 3) return read_sizes<uint64_t>(image, header);
  // Version 1 does not say where it ends.
  *reason = "it is a compressed bundle of version " + std::to_string(start.version) +
            "; 2 and 3 can be read";
  return false;
}

Unpacked unpack_bundle(const ImageBytes& image, const CompressedHeader& header) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  if (header.unpacked_bytes > kMostBytes || header.total_bytes > kMostBytes) {
    return {nullptr, 0, "it is a compressed bundle of more than 1 GiB"};
  }
  const auto packed = image.copy(header.header_bytes, header.total_bytes - header.header_bytes);
  if (!packed) return {nullptr, 0, "it is cut short"};
  return unpack(header.compression, *packed, header.unpacked_bytes);
}

}  // namespace greta::codeobject
