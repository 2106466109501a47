// Allocation and freeing.
#include <sys/mman.h>

#include <algorithm>

#include "api/generated/impl.h"
#include "api/pool_handles.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/graph_allocation.h"
#include "device/memory.h"
#include "device/pool.h"

namespace greta::api {

using sim::AllocateResult;
using sim::AllocationRef;
using sim::MemoryKind;

namespace {

constexpr size_t kPitchBytes = 256;
// Flags of newer headers than ours.
constexpr unsigned kHostUncached = 0x10000000;
constexpr unsigned kDeviceUncached = 3;
constexpr unsigned kDeviceContiguous = 4;
constexpr unsigned kHostFlags =
    hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined | kHostUncached |
    static_cast<unsigned>(hipHostMallocNumaUser) | static_cast<unsigned>(hipHostMallocCoherent) |
    static_cast<unsigned>(hipHostMallocNonCoherent);
constexpr unsigned kBothCoherences =
    static_cast<unsigned>(hipHostMallocCoherent) | static_cast<unsigned>(hipHostMallocNonCoherent);
constexpr unsigned kHostAllocFlags =
    hipHostAllocPortable | hipHostAllocMapped | hipHostAllocWriteCombined | kHostUncached;
constexpr unsigned kMostRegisterFlag = 15;
constexpr size_t kSignalBytes = 8;

hipError_t give(void** out, const AllocateResult& result) {
  if (result.error == hipSuccess) *out = reinterpret_cast<void*>(result.allocation->base);
  return result.error;
}

hipError_t allocate_on_device(void** out, size_t bytes, unsigned flags) {
  if (!out) return hipErrorInvalidValue;
  *out = nullptr;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  if (bytes == 0) return hipSuccess;
  return give(out, sim::allocate_device(sim::current_device(), bytes, flags));
}

// The host's memory is mapped into the device, so one allocation may be no larger than that.
AllocateResult allocate_host(MemoryKind kind, size_t bytes, unsigned flags) {
  const sim::Device& device = sim::current_device();
  if (bytes > device.total_bytes()) return {hipErrorOutOfMemory, nullptr};
  return sim::allocate_host(kind, device.ordinal(), bytes, flags);
}

hipError_t allocate_pinned(void** out, size_t bytes, unsigned flags) {
  if (!out) return hipErrorInvalidValue;
  *out = nullptr;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  if ((flags & ~kHostFlags) || (flags & kBothCoherences) == kBothCoherences) {
    return hipErrorInvalidValue;
  }
  if (bytes == 0) return hipSuccess;
  return give(out, allocate_host(MemoryKind::pinned, bytes, flags));
}

AllocationRef find_base(const void* pointer) {
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  AllocationRef allocation = sim::address_map().find(base);
  return allocation && allocation->base == base ? allocation : nullptr;
}

// Memory that is not there cannot be pinned.
bool is_mapped(sim::Span span) {
  const uintptr_t first_page = span.begin / sim::kPageBytes * sim::kPageBytes;
  if (span.end() <= span.begin) return false;
  // Changes nothing, and fails where a page is missing.
  return msync(reinterpret_cast<void*>(first_page), span.end() - first_page, MS_ASYNC) == 0;
}

// Once nothing queued can use it. A wait that a fault cut short leaves the memory where it is: work
// on other streams may still be in the middle of it, and the call reports the fault anyway.
void release_when_unused(const AllocationRef& allocation) {
  sim::device_at(allocation->device).synchronize();
  if (!sim::device_lost()) sim::release(allocation);
}

// Frees wait for every stream of the device that owns the memory; pool memory does not wait.
hipError_t free_any(void* pointer) {
  if (!pointer) return hipSuccess;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  const AllocationRef allocation = find_base(pointer);
  if (!allocation) return hipErrorInvalidValue;
  const bool not_from_here =
      allocation->kind == MemoryKind::registered || allocation->kind == MemoryKind::module;
  const bool opened = allocation->is_imported && !allocation->pool.lock();
  if (not_from_here || allocation->mapping || opened) {
    return hipErrorInvalidValue;
  }
  if (const auto graph = allocation->graph_allocation.lock()) {
    if (!graph->end_life()) return hipErrorInvalidValue;
    sim::note_owner(*allocation, false);
    sim::device_at(allocation->device).synchronize();
    if (!sim::device_lost()) graph->hide();
    return hipSuccess;
  }
  if (allocation->pool.lock()) {
    return free_to_pool(allocation,
                        sim::device_at(allocation->device).default_stream().shared_from_this());
  }
  release_when_unused(allocation);
  return hipSuccess;
}

}  // namespace

hipError_t hipMalloc(void** ptr, size_t size) { return allocate_on_device(ptr, size, 0); }

hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags) {
  const bool known = flags == hipDeviceMallocDefault || flags == hipDeviceMallocFinegrained ||
                     flags == hipMallocSignalMemory || flags == kDeviceUncached ||
                     flags == kDeviceContiguous;
  if (!known) return hipErrorInvalidValue;
  if (flags == hipMallocSignalMemory && size != kSignalBytes) return hipErrorInvalidValue;
  return allocate_on_device(ptr, size, flags);
}

hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  if (!ptr || !pitch) return hipErrorInvalidValue;
  *ptr = nullptr;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > SIZE_MAX - kPitchBytes) return hipErrorOutOfMemory;
  const size_t rounded = (width + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
  size_t bytes;
  if (__builtin_mul_overflow(rounded, height, &bytes)) return hipErrorOutOfMemory;
  const hipError_t error = allocate_on_device(ptr, bytes, 0);
  if (error == hipSuccess) *pitch = rounded;
  return error;
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* ptr, size_t* pitch, size_t width, size_t height,
                            unsigned int element_bytes) {
  if (width == 0 || height == 0) return hipErrorInvalidValue;
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return hipErrorInvalidValue;
  return api::hipMallocPitch(ptr, pitch, width, height);
}

hipError_t hipMalloc3D(hipPitchedPtr* out, hipExtent extent) {
  if (!out) return hipErrorInvalidValue;
  *out = {nullptr, 0, extent.width, extent.height};
  size_t rows;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return hipErrorOutOfMemory;
  return api::hipMallocPitch(&out->ptr, &out->pitch, extent.width, rows);
}

hipError_t hipMallocManaged(void** ptr, size_t size, unsigned int flags) {
  if (!ptr || size == 0) return hipErrorInvalidValue;
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  *ptr = nullptr;
  return give(ptr, allocate_host(MemoryKind::managed, size, flags));
}

hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  return allocate_pinned(ptr, size, flags);
}

hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags) {
  if (flags & ~kHostAllocFlags) return hipErrorInvalidValue;
  return allocate_pinned(ptr, size, flags);
}

hipError_t hipMallocHost(void** ptr, size_t size) { return allocate_pinned(ptr, size, 0); }
hipError_t hipMemAllocHost(void** ptr, size_t size) { return allocate_pinned(ptr, size, 0); }

hipError_t hipFree(void* ptr) { return free_any(ptr); }
hipError_t hipHostFree(void* ptr) { return free_any(ptr); }
hipError_t hipFreeHost(void* ptr) { return free_any(ptr); }

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  if (!pointer || bytes == 0 || flags > kMostRegisterFlag) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  const sim::Span span{reinterpret_cast<uintptr_t>(pointer), bytes};
  const bool ours = sim::is_reserved(span.begin) || sim::is_reserved(span.end() - 1);
  if (ours && !sim::address_map().find(span.begin)) return hipErrorInvalidValue;
  if (!is_mapped(span)) return hipErrorInvalidValue;
  return sim::adopt(MemoryKind::registered, sim::current_ordinal(), span, flags).error;
}

hipError_t hipHostUnregister(void* pointer) {
  if (!pointer) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  const AllocationRef allocation = find_base(pointer);
  if (!allocation || allocation->kind != MemoryKind::registered) {
    return hipErrorHostMemoryNotRegistered;
  }
  release_when_unused(allocation);
  return hipSuccess;
}

hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
  if (!device_pointer || !host_pointer || flags != 0) return hipErrorInvalidValue;
  *device_pointer = nullptr;
  const AllocationRef allocation =
      sim::address_map().find(reinterpret_cast<uintptr_t>(host_pointer));
  const bool on_host =
      allocation && (allocation->is_host() || allocation->kind == MemoryKind::managed);
  if (!on_host) return hipErrorInvalidValue;
  *device_pointer = host_pointer;  // one address for both sides
  return hipSuccess;
}

hipError_t hipHostGetFlags(unsigned int* flags, void* pointer) {
  if (!flags || !pointer) return hipErrorInvalidValue;
  const AllocationRef allocation = sim::address_map().find(reinterpret_cast<uintptr_t>(pointer));
  if (!allocation || !allocation->is_host()) return hipErrorInvalidValue;
  *flags = allocation->flags;
  return hipSuccess;
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  const sim::Device& device = sim::current_device();
  if (free) *free = device.free_bytes();
  if (total) *total = device.total_bytes();
  return hipSuccess;
}

}  // namespace greta::api
