// What a runtime puts behind a kernel's own arguments, and the packet it would queue.
#pragma once

#include <cstdint>
#include <vector>

#include "device/executor.h"

namespace greta::sim::gfx {

// hsa_kernel_dispatch_packet_t, which kernels of older code objects ask for their sizes.
struct DispatchPacket {
  uint16_t header;
  uint16_t setup;
  uint16_t workgroup_size[3];
  uint16_t reserved0;
  uint32_t grid_size[3];  // in threads
  uint32_t private_segment_bytes;
  uint32_t group_segment_bytes;
  uint64_t kernel_object;
  uint64_t kernarg_address;
  uint64_t reserved2;
  uint64_t completion_signal;
};
static_assert(sizeof(DispatchPacket) == 64);

// Whether its code has a place for the address of the hostcall buffer.
bool may_call_host(const KernelLaunch& launch);

// The memory a launch brings with it, which its kernel may read.
class LaunchMemory {
 public:
  LaunchMemory(const KernelLaunch& launch, uint32_t shared_aperture, uint32_t private_aperture,
               uint32_t private_bytes);

  uintptr_t kernarg() const { return begin(); }
  uintptr_t packet() const { return begin() + packet_at_; }
  uintptr_t queue() const { return packet() + sizeof(DispatchPacket); }

  uintptr_t begin() const {
    return (reinterpret_cast<uintptr_t>(bytes_.data()) + 63) & ~uintptr_t{63};
  }
  uintptr_t end() const { return queue() + kQueueBytes; }

 private:
  static constexpr size_t kQueueBytes = 256;

  void fill_hidden(const KernelLaunch& launch, uint32_t shared_aperture, uint32_t private_aperture);
  void fill_packet(const KernelLaunch& launch, uint32_t private_bytes);

  std::vector<unsigned char> bytes_;
  size_t packet_at_ = 0;
};

}  // namespace greta::sim::gfx
