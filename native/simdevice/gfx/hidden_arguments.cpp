#include "gfx/hidden_arguments.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "gfx/device_heap.h"
#include "gfx/hostcall.h"

namespace greta::sim::gfx {
namespace {

uint16_t dimensions_of(const KernelLaunch& launch) {
  if (launch.grid.z > 1 || launch.block.z > 1) return 3;
  return launch.grid.y > 1 || launch.block.y > 1 ? 2 : 1;
}

// The value of a hidden argument. Remainders are zero: HIP's grids are whole blocks. So are
// offsets, and what belongs to services that the device does not have.
uint64_t value_of(std::string_view kind, const KernelLaunch& launch, uint32_t shared_aperture,
                  uint32_t private_aperture, uint64_t queue) {
  struct Row {
    std::string_view kind;
    uint64_t value;
  };
  const Row rows[] = {
      {"hidden_block_count_x", launch.grid.x},
      {"hidden_block_count_y", launch.grid.y},
      {"hidden_block_count_z", launch.grid.z},
      {"hidden_group_size_x", launch.block.x},
      {"hidden_group_size_y", launch.block.y},
      {"hidden_group_size_z", launch.block.z},
      {"hidden_grid_dims", dimensions_of(launch)},
      {"hidden_dynamic_lds_size", launch.dynamic_shared_bytes},
      {"hidden_shared_base", shared_aperture},
      {"hidden_private_base", private_aperture},
      {"hidden_queue_ptr", queue},
      {"hidden_hostcall_buffer", hostcall_memory().buffer},
  };
  for (const Row& row : rows) {
    if (row.kind == kind) return row.value;
  }
  return kind == "hidden_heap_v1" ? DeviceHeap::instance().state() : 0;
}

}  // namespace

bool may_call_host(const KernelLaunch& launch) {
  const auto& arguments = launch.kernel->arguments;
  return std::any_of(arguments.begin(), arguments.end(), [](const KernelArgument& argument) {
    return argument.value_kind == "hidden_hostcall_buffer";
  });
}

LaunchMemory::LaunchMemory(const KernelLaunch& launch, uint32_t shared_aperture,
                           uint32_t private_aperture, uint32_t private_bytes) {
  const size_t kernarg_bytes = launch.kernel->kernarg_bytes;
  packet_at_ = (kernarg_bytes + 63) & ~size_t{63};
  bytes_.resize(packet_at_ + sizeof(DispatchPacket) + kQueueBytes + 63);
  auto* const kernarg = reinterpret_cast<unsigned char*>(begin());
  if (kernarg_bytes != 0) std::memcpy(kernarg, launch.kernarg, kernarg_bytes);
  fill_hidden(launch, shared_aperture, private_aperture);
  fill_packet(launch, private_bytes);
}

void LaunchMemory::fill_hidden(const KernelLaunch& launch, uint32_t shared_aperture,
                               uint32_t private_aperture) {
  for (const KernelArgument& argument : launch.kernel->arguments) {
    if (argument.kind != ArgumentKind::hidden) continue;
    const uint64_t value =
        value_of(argument.value_kind, launch, shared_aperture, private_aperture, queue());
    std::memcpy(reinterpret_cast<unsigned char*>(begin()) + argument.offset, &value,
                std::min<size_t>(argument.bytes, sizeof value));
  }
}

void LaunchMemory::fill_packet(const KernelLaunch& launch, uint32_t private_bytes) {
  DispatchPacket packet{};
  packet.setup = dimensions_of(launch);
  const uint32_t block[] = {launch.block.x, launch.block.y, launch.block.z};
  const uint32_t grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (int i = 0; i < 3; ++i) {
    packet.workgroup_size[i] = static_cast<uint16_t>(block[i]);
    packet.grid_size[i] = grid[i] * block[i];
  }
  packet.private_segment_bytes = private_bytes;
  packet.group_segment_bytes = launch.kernel->static_shared_bytes + launch.dynamic_shared_bytes;
  packet.kernarg_address = kernarg();
  std::memcpy(reinterpret_cast<void*>(this->packet()), &packet, sizeof packet);
}

}  // namespace greta::sim::gfx
