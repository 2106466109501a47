// Virtual memory management: addresses, memory, mappings and access rights.
#include <mutex>

#include "api/generated/impl.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/handle_table.h"
#include "device/virtual_memory.h"

namespace greta::api {

using sim::PhysicalMemory;
using sim::PhysicalRef;

namespace {

sim::HandleTable<PhysicalMemory>& memory_table() {
  static auto* const table = new sim::HandleTable<PhysicalMemory>(9);
  return *table;
}

std::mutex g_handles_mutex;  // guards handle and releases_due of all of it

uintptr_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

PhysicalRef find_memory(hipMemGenericAllocationHandle_t handle) {
  return memory_table().find(handle);
}

// One more release is due; memory whose last handle is gone gets another.
hipMemGenericAllocationHandle_t handle_to(const PhysicalRef& memory) {
  std::lock_guard<std::mutex> lock(g_handles_mutex);
  if (memory->releases_due++ == 0) {
    memory->handle = static_cast<hipMemGenericAllocationHandle_t>(memory_table().add(memory));
  }
  return memory->handle;
}

bool is_location(const hipMemLocation& location) {
  return location.type == hipMemLocationTypeDevice || location.type == hipMemLocationTypeHost;
}

bool is_known(const hipMemAllocationProp* properties) {
  return properties &&
         (properties->type == hipMemAllocationTypePinned ||
          properties->type == hipMemAllocationTypeUncached) &&
         is_location(properties->location);
}

// The part of a handle type that this machine has; there is no fabric of devices.
bool is_shareable(hipMemAllocationHandleType type) {
  return type == hipMemHandleTypeNone || type == hipMemHandleTypePosixFileDescriptor;
}

hipError_t check(const hipMemAccessDesc& wanted) {
  if (!is_location(wanted.location) || !sim::is_device(wanted.location.id)) {
    return hipErrorInvalidValue;
  }
  const bool known = wanted.flags == hipMemAccessFlagsProtNone ||
                     wanted.flags == hipMemAccessFlagsProtRead ||
                     wanted.flags == hipMemAccessFlagsProtReadWrite;
  return known ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

hipError_t hipMemAddressReserve(void** out, size_t bytes, size_t alignment, void* wanted,
                                unsigned long long flags) {
  if (!out || flags != 0) return hipErrorInvalidValue;
  if (bytes == 0 || bytes % sim::kGranularity != 0 || (alignment & (alignment - 1)) != 0) {
    return hipErrorInvalidValue;
  }
  *out = nullptr;
  uintptr_t begin = 0;
  const hipError_t error = sim::reserve_addresses(bytes, alignment, address_of(wanted), &begin);
  if (error == hipSuccess) *out = reinterpret_cast<void*>(begin);
  return error;
}

// The size need not be that of the reservation: AMD's library does not look at it either.
hipError_t hipMemAddressFree(void* pointer, size_t bytes) {
  if (!pointer || bytes == 0) return hipErrorInvalidValue;
  return sim::free_addresses(address_of(pointer));
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes,
                        const hipMemAllocationProp* properties, unsigned long long flags) {
  if (!handle || bytes == 0 || flags != 0 || !is_known(properties)) return hipErrorInvalidValue;
  if (!sim::is_device(properties->location.id)) return hipErrorInvalidDevice;
  if (!is_shareable(properties->requestedHandleType)) return hipErrorNotSupported;
  const sim::Device& device = sim::device_at(properties->location.id);
  if (bytes > device.total_bytes()) return hipErrorOutOfMemory;
  if (bytes % sim::kGranularity != 0) return hipErrorInvalidValue;
  const PhysicalRef memory = PhysicalMemory::create(*properties, bytes);
  if (!memory) return hipErrorOutOfMemory;
  *handle = handle_to(memory);
  return hipSuccess;
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  const PhysicalRef memory = find_memory(handle);
  if (!memory) return hipErrorInvalidValue;
  std::lock_guard<std::mutex> lock(g_handles_mutex);
  if (--memory->releases_due == 0) memory_table().remove(handle);
  return hipSuccess;
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* pointer) {
  if (!handle || !pointer) return hipErrorInvalidValue;
  const sim::AllocationRef allocation = sim::address_map().find(address_of(pointer));
  if (!allocation || !allocation->mapping) return hipErrorInvalidValue;
  *handle = handle_to(allocation->mapping->memory);
  return hipSuccess;
}

hipError_t hipMemMap(void* pointer, size_t bytes, size_t offset,
                     hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
  if (!pointer || bytes == 0 || offset != 0 || flags != 0) return hipErrorInvalidValue;
  const PhysicalRef memory = find_memory(handle);
  if (!memory || bytes % sim::kGranularity != 0) return hipErrorInvalidValue;
  return sim::map_memory(address_of(pointer), bytes, memory);
}

hipError_t hipMemUnmap(void* pointer, size_t bytes) {
  if (!pointer || bytes == 0) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  return sim::unmap_memory(address_of(pointer), bytes);
}

hipError_t hipMemSetAccess(void* pointer, size_t bytes, const hipMemAccessDesc* wanted,
                           size_t count) {
  if (!pointer || bytes == 0 || !wanted || count == 0) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (const hipError_t error = check(wanted[i])) return error;
  }
  for (size_t i = 0; i < count; ++i) {
    if (const hipError_t error = sim::set_access(address_of(pointer), bytes, wanted[i])) {
      return error;
    }
  }
  return hipSuccess;
}

hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location,
                           void* pointer) {
  const bool complete = flags && location && pointer;
  if (!complete || location->type != hipMemLocationTypeDevice || !sim::is_device(location->id)) {
    return hipErrorInvalidValue;
  }
  const sim::AllocationRef allocation = sim::address_map().find(address_of(pointer));
  if (!allocation || !allocation->mapping) return hipErrorInvalidValue;
  *flags = allocation->mapping->of(location->id);
  return hipSuccess;
}

hipError_t hipMemGetAllocationGranularity(size_t* granularity,
                                          const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags option) {
  if (!granularity || !is_known(properties) || !sim::is_device(properties->location.id)) {
    return hipErrorInvalidValue;
  }
  if (option != hipMemAllocationGranularityMinimum &&
      option != hipMemAllocationGranularityRecommended) {
    return hipErrorInvalidValue;
  }
  const bool least = option == hipMemAllocationGranularityMinimum;
  *granularity = least ? sim::kGranularity : sim::kRecommendedGranularity;
  return hipSuccess;
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  const PhysicalRef memory = find_memory(handle);
  if (!memory || !properties) return hipErrorInvalidValue;
  *properties = memory->properties();
  return hipSuccess;
}

hipError_t hipMemExportToShareableHandle(void* out, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type,
                                         unsigned long long flags) {
  const PhysicalRef memory = find_memory(handle);
  if (!out || !memory || flags != 0) return hipErrorInvalidValue;
  const bool asked_for = memory->properties().requestedHandleType == type;
  if (!asked_for || type != hipMemHandleTypePosixFileDescriptor) return hipErrorInvalidValue;
  const int file = memory->export_file();
  if (file < 0) return hipErrorInvalidValue;
  *static_cast<int*>(out) = file;
  return hipSuccess;
}

// The handle is the descriptor itself, as from HIP 7.1 on; before, it was the address of one.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* os_handle,
                                           hipMemAllocationHandleType type) {
  if (!handle || !os_handle) return hipErrorInvalidValue;
  if (type != hipMemHandleTypePosixFileDescriptor) return hipErrorInvalidValue;
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = type;
  properties.location = {hipMemLocationTypeDevice, sim::current_ordinal()};
  const auto file = static_cast<int>(reinterpret_cast<intptr_t>(os_handle));
  const PhysicalRef memory = PhysicalMemory::import(file, properties);
  if (!memory) return hipErrorInvalidValue;
  *handle = handle_to(memory);
  return hipSuccess;
}

}  // namespace greta::api
