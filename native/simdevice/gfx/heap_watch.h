// Follows the waves of a launch through ROCm's malloc and free, to tell who allocated what.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "device/heap_book.h"
#include "gfx/kernel_code.h"
#include "isa/wave.h"

namespace greta::sim::gfx {

class HeapWatch {
 public:
  // Null: nobody asked.
  explicit HeapWatch(HeapCaller* caller) : caller_(caller) {}

  // A wave is at such a point, before it runs the instruction there.
  void reached(const isa::Wave& wave, HeapPoint point);

 private:
  // A call of malloc by some lanes of a wave, the outermost of those within each other.
  struct Call {
    uint64_t returns_to = 0;
    uint64_t bytes[isa::kLanes] = {};
  };

  void has_allocated(const isa::Wave& wave, const Call& call);

  HeapCaller* const caller_;
  std::mutex mutex_;
  std::unordered_map<const isa::Wave*, Call> calls_;
};

}  // namespace greta::sim::gfx
