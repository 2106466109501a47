// From the arguments of a launch call to work that can be queued.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/device.h"
#include "device/work.h"

namespace greta::sim {

constexpr size_t kSharedBytesPerBlock = 65536;

struct LaunchArguments {
  void** kernel_params = nullptr;  // one pointer per argument, or
  void** extra = nullptr;          // {1, buffer, 2, &size, 3}
};

inline bool is_empty(Dim3 extent) { return extent.x == 0 || extent.y == 0 || extent.z == 0; }

// Checks dimensions and shared memory, copies the argument values.
hipError_t prepare_launch(const Function& function, Dim3 grid, Dim3 block, size_t shared_bytes,
                          LaunchArguments arguments, Device& device, KernelWork* work);

}  // namespace greta::sim
