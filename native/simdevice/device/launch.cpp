#include "device/launch.h"

#include <algorithm>
#include <cstring>

#include "device/address_map.h"
#include "device/log.h"
#include "device/memory.h"
#include "device/virtual_memory.h"
#include "gfx/module.h"

namespace greta::sim {
namespace {

constexpr uint64_t kMostGridX = 0x7fffffff;
constexpr uint64_t kMostGridYZ = 65536;
constexpr uint64_t kMostThreadsX = 0xffffffff;

hipError_t check_dimensions(const Kernel& kernel, Dim3 grid, Dim3 block) {
  if (is_empty(grid) || is_empty(block)) return hipErrorInvalidValue;
  if (grid.x > kMostGridX || grid.y > kMostGridYZ || grid.z > kMostGridYZ) {
    return hipErrorInvalidValue;
  }
  const uint64_t limit = std::min<uint64_t>(kernel.max_block_threads, max_block_threads);
  const bool too_many = block.x > limit || block.y > limit || block.z > limit ||
                        volume(block) > limit || uint64_t{grid.x} * block.x > kMostThreadsX;
  return too_many ? hipErrorInvalidConfiguration : hipSuccess;
}

hipError_t copy_params(const Kernel& kernel, void** params, KernelArguments& kernarg) {
  size_t index = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::hidden) continue;
    const void* value = params[index++];
    if (!value) return hipErrorInvalidValue;
    std::memcpy(kernarg.data() + argument.offset, value, argument.bytes);
  }
  return hipSuccess;
}

struct ExtraBuffer {
  const void* data = nullptr;
  size_t bytes = 0;
};

// {1, buffer, 2, &size, 3}: the pairs in either order, then the end. A list without an end is not
// followed any further.
hipError_t parse_extra(void** extra, ExtraBuffer* buffer) {
  void** at = extra;
  for (int pair = 0; pair < 2 && *at != HIP_LAUNCH_PARAM_END; ++pair, at += 2) {
    if (*at == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer->data = at[1];
    } else if (*at == HIP_LAUNCH_PARAM_BUFFER_SIZE && at[1]) {
      buffer->bytes = *static_cast<const size_t*>(at[1]);
    } else {
      return hipErrorInvalidValue;
    }
  }
  const bool complete = *at == HIP_LAUNCH_PARAM_END && (buffer->data || buffer->bytes == 0);
  return complete ? hipSuccess : hipErrorInvalidValue;
}

hipError_t copy_arguments(const Kernel& kernel, LaunchArguments arguments,
                          KernelArguments& kernarg) {
  kernarg = KernelArguments(kernel.kernarg_bytes);
  if (arguments.kernel_params && arguments.extra) return hipErrorInvalidValue;
  if (arguments.kernel_params) return copy_params(kernel, arguments.kernel_params, kernarg);
  if (arguments.extra) {
    ExtraBuffer buffer;
    if (const hipError_t error = parse_extra(arguments.extra, &buffer)) return error;
    if (buffer.bytes < kernel.explicit_bytes()) return hipErrorInvalidValue;
    std::copy_n(static_cast<const unsigned char*>(buffer.data),
                std::min(buffer.bytes, kernarg.size()), kernarg.data());
    return hipSuccess;
  }
  return kernel.explicit_argument_count() == 0 ? hipSuccess : hipErrorInvalidValue;
}

bool reachable(Device& device, uintptr_t address) {
  if (address == 0 || device.space().contains(address) || host_space().contains(address)) {
    return true;  // freed or out of bounds: the access itself will tell
  }
  for (int other = 0; other < device_count(); ++other) {
    if (device_at(other).space().contains(address)) return device.peer_enabled(other);
  }
  if (in_virtual_space(address)) return virtual_address_is_reachable(device.ordinal(), address);
  return address_map().find_reachable(address) != nullptr;
}

void replace_unreachable(Device& device, KernelWork& work) {
  for (const KernelArgument& argument : work.function->kernel->arguments) {
    if (argument.kind != ArgumentKind::global_buffer || argument.bytes != sizeof(uintptr_t)) {
      continue;
    }
    uintptr_t given;
    std::memcpy(&given, work.arguments.data() + argument.offset, sizeof given);
    if (reachable(device, given)) continue;
    const uintptr_t replacement = unreachable_alias(given);
    std::memcpy(work.arguments.data() + argument.offset, &replacement, sizeof replacement);
    work.arguments.note_unreachable({given, replacement});
  }
}

// Machine code with an instruction that the engine does not know is refused before it runs.
bool can_run(const Kernel& kernel) {
  std::string reason;
  if (kernel.machine_code == nullptr || gfx::prepare(*kernel.machine_code, &reason)) return true;
  log_line(0, "hip_module.cpp", "Cannot run the kernel %s: %s", kernel.name.c_str(),
           reason.c_str());
  return false;
}

}  // namespace

hipError_t prepare_launch(const Function& function, Dim3 grid, Dim3 block, size_t shared_bytes,
                          LaunchArguments arguments, Device& device, KernelWork* work) {
  const Kernel& kernel = *function.kernel;
  if (!can_run(kernel)) return hipErrorNoBinaryForGpu;
  if (const hipError_t error = check_dimensions(kernel, grid, block)) return error;
  const size_t fixed_bytes = kernel.static_shared_bytes;
  if (fixed_bytes > kSharedBytesPerBlock || shared_bytes > kSharedBytesPerBlock - fixed_bytes) {
    return hipErrorInvalidValue;
  }
  work->function = &function;
  work->grid = grid;
  work->block = block;
  work->dynamic_shared_bytes = static_cast<uint32_t>(shared_bytes);
  if (const hipError_t error = copy_arguments(kernel, arguments, work->arguments)) return error;
  replace_unreachable(device, *work);
  return hipSuccess;
}

}  // namespace greta::sim
