#include "codeobject/image_bytes.h"

#include <algorithm>

namespace greta::codeobject {

bool ImageBytes::copy(uint64_t offset, void* to, uint64_t bytes) const {
  if (offset > most_bytes_ || bytes > most_bytes_) return false;
  return start_ + offset >= start_ && memory_->read(start_ + offset, to, bytes);
}

// A length that is a lie costs no more than twice the bytes that are really there.
std::optional<ByteVector> ImageBytes::copy(uint64_t offset, uint64_t bytes) const {
  constexpr uint64_t kFirstStep = 1 << 20;
  ByteVector copied;
  if (bytes > most_bytes_) return {};
  while (copied.size() < bytes) {
    const uint64_t before = copied.size();
    const uint64_t step = std::min(bytes - before, std::max(kFirstStep, before));
    copied.resize(before + step);
    if (!copy(offset + before, copied.data() + before, step)) return {};
  }
  return copied;
}

bool ImageBytes::begins_with(std::string_view magic) const {
  char bytes[32];
  return magic.size() <= sizeof bytes && copy(0, bytes, magic.size()) &&
         std::string_view(bytes, magic.size()) == magic;
}

}  // namespace greta::codeobject
