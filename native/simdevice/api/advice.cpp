// Advice about managed memory, and what was advised; prefetching. They change speed, not results.
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "device/address_map.h"
#include "device/device.h"
#include "device/enqueue.h"

namespace greta::api {

using sim::AllocationRef;

namespace {

bool is_place(int device) { return device == hipCpuDeviceId || sim::is_device(device); }

int ordinal_of(const hipMemLocation& location) {
  return location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId;
}

uint32_t bit_of(int device) { return uint32_t{1} << static_cast<unsigned>(device + 1); }

// Null unless all of it is memory that HIP knows.
AllocationRef find_range(const void* pointer, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const AllocationRef allocation = sim::address_map().find(address);
  const bool inside = allocation && bytes > 0 && allocation->bytes_from(address) >= bytes;
  return inside ? allocation : nullptr;
}

hipError_t keep(sim::Advice& advice, hipMemoryAdvise what, int device) {
  switch (what) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      advice.read_mostly = what == hipMemAdviseSetReadMostly;
      return hipSuccess;
    case hipMemAdviseSetPreferredLocation:
      advice.preferred = device;
      return hipSuccess;
    case hipMemAdviseUnsetPreferredLocation:
      advice.preferred = sim::Advice::kNowhere;
      return hipSuccess;
    case hipMemAdviseSetAccessedBy:
      advice.accessed_by |= bit_of(device);
      return hipSuccess;
    case hipMemAdviseUnsetAccessedBy:
      advice.accessed_by &= ~bit_of(device);
      return hipSuccess;
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      advice.coarse_grained = what == hipMemAdviseSetCoarseGrain;
      return hipSuccess;
  }
  return hipErrorInvalidValue;
}

// Those that access it, then hipInvalidDeviceId in the room that is left.
void put_accessors(const sim::Advice& advice, int* out, size_t room) {
  size_t at = 0;
  for (int device = hipCpuDeviceId; device < sim::device_count() && at < room; ++device) {
    if (advice.accessed_by.load() & bit_of(device)) out[at++] = device;
  }
  while (at < room) out[at++] = sim::Advice::kNowhere;
}

hipError_t put(const sim::Advice& advice, hipMemRangeAttribute attribute, int* out, size_t room) {
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      *out = advice.read_mostly.load();
      return hipSuccess;
    case hipMemRangeAttributePreferredLocation:
      *out = advice.preferred.load();
      return hipSuccess;
    case hipMemRangeAttributeAccessedBy:
      put_accessors(advice, out, room);
      return hipSuccess;
    case hipMemRangeAttributeLastPrefetchLocation:
      *out = advice.prefetched.load();
      return hipSuccess;
    case hipMemRangeAttributeCoherencyMode:
      *out = advice.coarse_grained.load() ? hipMemRangeCoherencyModeCoarseGrain
                                          : hipMemRangeCoherencyModeFineGrain;
      return hipSuccess;
  }
  return hipErrorInvalidValue;
}

hipError_t prefetch(const void* pointer, size_t bytes, int device) {
  if (!is_place(device)) return hipErrorInvalidDevice;
  const AllocationRef allocation = find_range(pointer, bytes);
  if (!allocation) return hipErrorInvalidValue;
  allocation->advice.prefetched = device;
  return hipSuccess;
}

hipError_t pass(hipStream_t handle) {
  hipError_t error;
  const sim::StreamRef stream = find_stream(handle, &error);
  return stream ? sim::enqueue(stream, sim::EmptyWork{}) : error;
}

// What may be given up holds something else afterwards on hardware; here it stays.
hipError_t discard(void** pointers, const size_t* sizes, size_t count, unsigned long long flags,
                   hipStream_t stream) {
  if (!pointers || !sizes || count == 0 || flags != 0) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const AllocationRef allocation = find_range(pointers[i], sizes[i]);
    if (!allocation || allocation->kind != sim::MemoryKind::managed) return hipErrorInvalidValue;
  }
  return pass(stream);
}

struct Places {
  const hipMemLocation* locations;
  const size_t* first;  // the range from which on each counts
  size_t count;
};

hipError_t prefetch_all(void** pointers, const size_t* sizes, size_t count, const Places& places,
                        unsigned long long flags, hipStream_t stream) {
  const bool complete = pointers && sizes && places.locations && places.first;
  if (!complete || count == 0 || places.count == 0 || places.count > count || flags != 0) {
    return hipErrorInvalidValue;
  }
  if (places.first[0] != 0) return hipErrorInvalidValue;
  size_t place = 0;
  for (size_t i = 0; i < count; ++i) {
    while (place + 1 < places.count && places.first[place + 1] <= i) ++place;
    const int device = ordinal_of(places.locations[place]);
    if (const hipError_t error = prefetch(pointers[i], sizes[i], device)) return error;
  }
  return pass(stream);
}

}  // namespace

hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise what, int device) {
  if (!is_place(device)) return hipErrorInvalidDevice;
  const AllocationRef allocation = find_range(pointer, bytes);
  return allocation ? keep(allocation->advice, what, device) : hipErrorInvalidValue;
}

hipError_t hipMemAdvise_v2(const void* pointer, size_t bytes, hipMemoryAdvise what,
                           hipMemLocation location) {
  return api::hipMemAdvise(pointer, bytes, what, ordinal_of(location));
}

hipError_t hipMemRangeGetAttribute(void* data, size_t data_bytes, hipMemRangeAttribute attribute,
                                   const void* pointer, size_t bytes) {
  const bool one = attribute != hipMemRangeAttributeAccessedBy;
  const bool fits = one ? data_bytes == sizeof(int) : data_bytes % sizeof(int) == 0;
  if (!data || data_bytes == 0 || !fits) return hipErrorInvalidValue;
  const AllocationRef allocation = find_range(pointer, bytes);
  if (!allocation || allocation->kind != sim::MemoryKind::managed) return hipErrorInvalidValue;
  return put(allocation->advice, attribute, static_cast<int*>(data), data_bytes / sizeof(int));
}

hipError_t hipMemRangeGetAttributes(void** data, size_t* data_bytes,
                                    hipMemRangeAttribute* attributes, size_t count,
                                    const void* pointer, size_t bytes) {
  if (!data || !data_bytes || !attributes || count == 0) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const hipError_t error =
        api::hipMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

// All streams may access all managed memory at any time.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t bytes,
                                   unsigned int flags) {
  const bool known =
      flags == hipMemAttachGlobal || flags == hipMemAttachHost || flags == hipMemAttachSingle;
  if (!pointer || !known) return hipErrorInvalidValue;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const AllocationRef allocation = sim::address_map().find(address);
  const bool fits = allocation && allocation->kind == sim::MemoryKind::managed &&
                    (bytes == 0 || bytes == allocation->bytes);
  return fits ? pass(stream) : hipErrorInvalidValue;
}

hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream) {
  const hipError_t error = prefetch(pointer, bytes, device);
  return error ? error : pass(stream);
}

hipError_t hipMemPrefetchAsync_v2(const void* pointer, size_t bytes, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream) {
  if (flags != 0) return hipErrorInvalidValue;
  return api::hipMemPrefetchAsync(pointer, bytes, ordinal_of(location), stream);
}

hipError_t hipMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                    hipMemLocation* locations, size_t* first, size_t places,
                                    unsigned long long flags, hipStream_t stream) {
  return prefetch_all(pointers, sizes, count, {locations, first, places}, flags, stream);
}

hipError_t hipMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count,
                                   unsigned long long flags, hipStream_t stream) {
  return discard(pointers, sizes, count, flags, stream);
}

hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t* pointers, size_t* sizes, size_t count,
                                      unsigned long long flags, hipStream_t stream) {
  return discard(pointers, sizes, count, flags, stream);
}

hipError_t hipMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                              hipMemLocation* locations, size_t* first,
                                              size_t places, unsigned long long flags,
                                              hipStream_t stream) {
  const hipError_t error = discard(pointers, sizes, count, flags, stream);
  return error ? error
               : prefetch_all(pointers, sizes, count, {locations, first, places}, flags, stream);
}

hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t* pointers, size_t* sizes,
                                                 size_t count, hipMemLocation* locations,
                                                 size_t* first, size_t places,
                                                 unsigned long long flags, hipStream_t stream) {
  return api::hipMemDiscardAndPrefetchBatchAsync(pointers, sizes, count, locations, first, places,
                                                 flags, stream);
}

}  // namespace greta::api
