// Calls of a kernel to its host, as ROCm's device library makes them: printf, assert and malloc.
//
// A wave takes a packet off a stack of free ones, fills in 8 words for each lane, puts it onto the
// stack of ready ones, rings a bell and waits until the packet is not ready any more. The answer is
// in the first words. Here a thread looks at the ready stack while kernels run that may call.
#pragma once

#include <cstdint>

namespace greta::sim::gfx {

// The memory of it, which kernels write to: one for the process. Empty if there is no memory.
struct HostcallMemory {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t buffer = 0;  // what the hidden argument says
};
const HostcallMemory& hostcall_memory();

// While one is there, calls are answered. The last answers what is left.
class HostcallService {
 public:
  explicit HostcallService(bool wanted);
  ~HostcallService();
  HostcallService(const HostcallService&) = delete;
  HostcallService& operator=(const HostcallService&) = delete;

 private:
  const bool wanted_;
};

}  // namespace greta::sim::gfx
