// Images for tests: read from files, bundled, placed where readable memory ends.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace greta {

using Image = std::vector<unsigned char>;

inline Image image_from_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void append(Image* image, const void* bytes, size_t size) {
  const auto* start = static_cast<const unsigned char*>(bytes);
  image->insert(image->end(), start, start + size);
}

// An offload bundle of these (id, code) entries, as clang lays it out.
inline Image bundle_of(const std::vector<std::pair<std::string, Image>>& entries) {
  Image bundle;
  append(&bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
  const uint64_t count = entries.size();
  append(&bundle, &count, sizeof count);
  uint64_t offset = 4096;
  for (const auto& [id, payload] : entries) {
    const uint64_t fields[3] = {offset, payload.size(), id.size()};
    append(&bundle, fields, sizeof fields);
    append(&bundle, id.data(), id.size());
    offset += (payload.size() + 4095) / 4096 * 4096;
  }
  for (const auto& entry : entries) {
    bundle.resize((bundle.size() + 4095) / 4096 * 4096);
    append(&bundle, entry.second.data(), entry.second.size());
  }
  return bundle;
}

// An image that ends where accessible memory ends.
class ImageAtEdge {
 public:
  explicit ImageAtEdge(const Image& image) : image_(image) {
    const size_t pages = (image.size() + kPage - 1) / kPage * kPage;
    bytes_ = pages + kPage;
    start_ = static_cast<unsigned char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start_ + pages, kPage, PROT_NONE);
    place(image.size());
  }
  ~ImageAtEdge() { munmap(start_, bytes_); }
  ImageAtEdge(const ImageAtEdge&) = delete;

  // Puts the first `size` bytes before the edge.
  const void* place(size_t size) {
    unsigned char* at = start_ + bytes_ - kPage - size;
    std::memcpy(at, image_.data(), size);
    return at;
  }

 private:
  static constexpr size_t kPage = 4096;
  const Image& image_;
  size_t bytes_;
  unsigned char* start_;
};

}  // namespace greta
