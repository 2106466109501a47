// Allocating and freeing what a program asks HIP for.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/access_check.h"
#include "device/address_map.h"
#include "device/device.h"

namespace greta::sim {

struct AllocateResult {
  hipError_t error = hipSuccess;
  AllocationRef allocation;
};

// Device memory of `device`; hipErrorOutOfMemory past its VRAM.
AllocateResult allocate_device(Device& device, size_t bytes, unsigned flags);
// Pinned or managed host memory.
AllocateResult allocate_host(MemoryKind kind, int device, size_t bytes, unsigned flags);
// Makes memory of the program itself known to HIP: registered host memory, module variables.
AllocateResult adopt(MemoryKind kind, int device, Span span, unsigned flags);

// Grows with every allocation.
AllocationId next_allocation_id();

// Takes it out of the map and unmaps it. The caller has waited for the work that may still use it.
void release(const AllocationRef& allocation);
// The second half of release, for memory that is in nobody's map any more.
void unmap(Allocation& allocation);
// Reports damage around it; what is asked a second time has no red zones any more.
void check_red_zones(Allocation& allocation);
// A new life of the pages of a pool's block.
AllocationRef reincarnate(const Allocation& block, size_t bytes);

// May work on `device` touch these bytes? What checked builds of kernels ask.
bool device_may_access(int device, uintptr_t address, size_t bytes, bool is_write,
                       AccessibleRange* around);

// An address that is never mapped, standing for `given` in a kernel that cannot reach it.
uintptr_t unreachable_alias(uintptr_t given);

}  // namespace greta::sim
