// What is known about a pointer.
#include "api/generated/impl.h"
#include "api/pool_handles.h"
#include "device/address_map.h"

namespace greta::api {

using sim::AllocationRef;
using sim::MemoryKind;

namespace {

AllocationRef find(const void* pointer) {
  return sim::address_map().find(reinterpret_cast<uintptr_t>(pointer));
}

hipMemoryType type_of(const sim::Allocation& allocation) {
  if (allocation.is_host()) return hipMemoryTypeHost;
  return allocation.kind == MemoryKind::managed ? hipMemoryTypeManaged : hipMemoryTypeDevice;
}

bool has_host_pointer(const sim::Allocation& allocation) {
  return allocation.is_host() || allocation.kind == MemoryKind::managed;
}

template <typename T>
hipError_t put(void* data, T value) {
  *static_cast<T*>(data) = value;
  return hipSuccess;
}

hipMemPool_t pool_handle_of(const sim::Allocation& allocation) {
  const sim::PoolRef pool = allocation.pool.lock();
  return pool ? pool_handle(pool) : nullptr;
}

hipError_t put_attribute(void* data, hipPointer_attribute attribute, void* pointer,
                         sim::Allocation& allocation) {
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
      return put<void*>(data, nullptr);
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(data, type_of(allocation));
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put(data, pointer);
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!has_host_pointer(allocation)) return hipErrorInvalidValue;
      return put(data, pointer);
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return put<int>(data, allocation.sync_memops.load());
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      return put<unsigned long long>(data, allocation.id);
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      return put<bool>(data, allocation.kind == MemoryKind::managed);
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put<int>(data, allocation.device);
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return put(data, reinterpret_cast<void*>(allocation.base));
    // 32 bits, as in AMD's implementation.
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      return put(data, static_cast<uint32_t>(allocation.bytes));
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      return put<bool>(data, true);
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return put(data, pool_handle_of(allocation));
    default:
      return hipErrorInvalidValue;
  }
}

}  // namespace

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  if (!attributes) return hipErrorInvalidValue;
  *attributes = {};
  const AllocationRef allocation = find(pointer);
  if (!allocation) {
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = hipInvalidDeviceId;
    return hipSuccess;
  }
  attributes->type = type_of(*allocation);
  attributes->device = allocation->device;
  attributes->devicePointer = const_cast<void*>(pointer);
  if (has_host_pointer(*allocation)) attributes->hostPointer = const_cast<void*>(pointer);
  attributes->isManaged = allocation->kind == MemoryKind::managed;
  attributes->allocationFlags = allocation->flags;
  return hipSuccess;
}

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, void* pointer) {
  if (!data || !pointer) return hipErrorInvalidValue;
  const AllocationRef allocation = find(pointer);
  return allocation ? put_attribute(data, attribute, pointer, *allocation) : hipErrorInvalidValue;
}

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                  void* pointer) {
  if (!value || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) return hipErrorInvalidValue;
  const AllocationRef allocation = find(pointer);
  if (!allocation) return hipErrorInvalidDevicePointer;
  allocation->sync_memops = *static_cast<const unsigned*>(value) != 0;
  return hipSuccess;
}

// Attributes that do not apply are left as they are, and the call succeeds.
hipError_t hipDrvPointerGetAttributes(unsigned int count, hipPointer_attribute* attributes,
                                      void** data, void* pointer) {
  if (!attributes || !data || count == 0) return hipErrorInvalidValue;
  const AllocationRef allocation = find(pointer);
  for (unsigned i = 0; i < count; ++i) {
    if (!data[i]) return hipErrorInvalidValue;
    if (allocation) put_attribute(data[i], attributes[i], pointer, *allocation);
  }
  return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  const AllocationRef allocation = find(pointer);
  if (!allocation) return hipErrorNotFound;
  if (base) *base = reinterpret_cast<void*>(allocation->base);
  if (bytes) *bytes = allocation->bytes;
  return hipSuccess;
}

hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes) {
  if (!pointer || !bytes) return hipErrorInvalidValue;
  const AllocationRef allocation = find(pointer);
  if (!allocation) return hipErrorInvalidValue;
  *bytes = allocation->bytes;
  return hipSuccess;
}

}  // namespace greta::api
