// The memory of malloc in kernels, as ROCm's device library manages it: small blocks out of pieces
// of 2 MiB by itself, pieces and large blocks by asking the host (gfx/hostcall.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace greta::sim::gfx {

class DeviceHeap {
 public:
  static DeviceHeap& instance();

  // The state of the library's allocator, zeroed at first, where hidden_heap_v1 points to; 0 if
  // there is no memory for it.
  uint64_t state();
  bool is_state(uintptr_t address) const;

  // Address 0: memory of that size, 0 where there is none. Else gives that memory back.
  uint64_t request(uint64_t address, uint64_t bytes);

  // How often memory was asked for.
  uint64_t requests() const { return requests_.load(std::memory_order_relaxed); }

  // The piece that these bytes lie in.
  bool find(uintptr_t address, size_t bytes, uintptr_t* begin, uintptr_t* end);

 private:
  uint64_t take(uint64_t bytes);
  void give_back(uint64_t address);

  std::mutex mutex_;
  std::map<uintptr_t, uintptr_t> pieces_;  // begin -> end
  uint64_t taken_ = 0;
  std::atomic<uint64_t> requests_{0};
  std::atomic<uintptr_t> state_{0};
};

}  // namespace greta::sim::gfx
