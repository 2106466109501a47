// The argument values of a launch, as they lie in the kernel's argument segment.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/recording.h"

namespace greta::recorder {

// What the metadata of the code object says. Made once per kernel and kept for good.
struct KernelLayout {
  struct Argument {
    uint32_t offset;
    uint32_t bytes;
  };
  uint32_t id = 0;     // of its entry "kernel"
  uint32_t bytes = 0;  // where the last argument ends; hidden ones are not counted
  std::vector<Argument> arguments;
};

class KernelArguments {
 public:
  // `params` are the addresses of the values, one per argument; `extra` the other way to pass them:
  // {1, buffer, 2, &size, 3}. Either may be null, as may the layout of a kernel nothing is known
  // of.
  KernelArguments(const KernelLayout* layout, const void* params, const void* extra);

  uint32_t kernel_id() const { return layout_ != nullptr ? layout_->id : 0; }
  // Whether there is more than is kept.
  bool cut() const { return layout_ != nullptr && params_ != nullptr && bytes_ < layout_->bytes; }
  // Continuations they take.
  uint32_t parts() const { return (bytes_ + GRETA_MORE_BYTES - 1) / GRETA_MORE_BYTES; }
  void write(greta_more* parts) const;

 private:
  void put(greta_more* parts, uint32_t offset, const void* value, uint32_t bytes) const;

  const KernelLayout* layout_;
  const void* const* params_ = nullptr;
  const void* buffer_ = nullptr;
  uint32_t bytes_ = 0;
};

}  // namespace greta::recorder
