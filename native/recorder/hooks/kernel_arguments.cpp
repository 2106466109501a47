#include "recorder/hooks/kernel_arguments.h"

#include <algorithm>
#include <cstring>

namespace greta::recorder {
namespace {

// Kernels with more are hardly ever seen, and pointers come first.
constexpr uint32_t kMostBytes = 10 * GRETA_MORE_BYTES;

struct Buffer {
  const void* data = nullptr;
  size_t bytes = 0;
};

Buffer buffer_in(const void* const* extra) {
  Buffer buffer;
  for (int pair = 0; pair < 2; ++pair, extra += 2) {
    const auto key = reinterpret_cast<uintptr_t>(extra[0]);
    if (key == 1) {
      buffer.data = extra[1];
    } else if (key == 2 && extra[1] != nullptr) {
      buffer.bytes = *static_cast<const size_t*>(extra[1]);
    } else {
      break;
    }
  }
  return buffer;
}

}  // namespace

KernelArguments::KernelArguments(const KernelLayout* layout, const void* params, const void* extra)
    : layout_(layout) {
  if (params != nullptr) {
    if (layout == nullptr) return;
    params_ = static_cast<const void* const*>(params);
    bytes_ = std::min(layout->bytes, kMostBytes);
  } else if (extra != nullptr) {
    const Buffer buffer = buffer_in(static_cast<const void* const*>(extra));
    buffer_ = buffer.data;
    bytes_ = buffer.data != nullptr
                 ? static_cast<uint32_t>(std::min<size_t>(buffer.bytes, kMostBytes))
                 : 0;
  }
}

void KernelArguments::put(greta_more* parts, uint32_t offset, const void* value,
                          uint32_t bytes) const {
  const auto* from = static_cast<const char*>(value);
  while (bytes != 0 && offset < bytes_) {
    const uint32_t place = offset % GRETA_MORE_BYTES;
    const uint32_t here = std::min({bytes, GRETA_MORE_BYTES - place, bytes_ - offset});
    std::memcpy(parts[offset / GRETA_MORE_BYTES].bytes + place, from, here);
    offset += here;
    from += here;
    bytes -= here;
  }
}

void KernelArguments::write(greta_more* parts) const {
  for (uint32_t i = 0; i < this->parts(); ++i) {
    const uint32_t offset = i * GRETA_MORE_BYTES;
    std::memset(static_cast<void*>(&parts[i]), 0, sizeof parts[i]);
    parts[i].call = GRETA_CALL_MORE;
    parts[i].kind = GRETA_MORE_KERNARG;
    parts[i].used = static_cast<uint16_t>(std::min(bytes_ - offset, GRETA_MORE_BYTES));
    parts[i].offset = offset;
    parts[i].total = bytes_;
  }
  if (buffer_ != nullptr) return put(parts, 0, buffer_, bytes_);
  if (params_ == nullptr) return;
  for (size_t i = 0; i < layout_->arguments.size(); ++i) {
    const KernelLayout::Argument& argument = layout_->arguments[i];
    if (params_[i] != nullptr) put(parts, argument.offset, params_[i], argument.bytes);
  }
}

}  // namespace greta::recorder
