// Streams, host callbacks, values written and waited for in stream order.
#include <algorithm>

#include "api/device_properties.h"
#include "api/generated/impl.h"
#include "api/node_content.h"
#include "api/stream_handles.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/enqueue.h"
#include "device/memory.h"
#include "device/pool.h"

namespace greta::api {

using sim::StreamRef;

namespace {

constexpr int kLeastPriority = 1;
constexpr int kGreatestPriority = -1;

hipError_t create(hipStream_t* out, unsigned flags, int priority) {
  if (!out) return hipErrorInvalidValue;
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking) return hipErrorInvalidValue;
  StreamRef stream = sim::current_device().create_stream(
      flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
  *out = static_cast<hipStream_t>(stream_table().add(stream));
  stream->set_handle(*out);
  return hipSuccess;
}

template <typename T, typename Get>
hipError_t get(hipStream_t handle, T* out, Get value) {
  if (!out) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (stream) *out = value(*stream);
  return error;
}

hipError_t enqueue_on(hipStream_t handle, sim::Work work) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  return stream ? sim::enqueue(stream, std::move(work)) : error;
}

hipError_t check_word(const void* pointer, unsigned bytes) {
  return is_word(pointer, bytes) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t wait_value(hipStream_t stream, void* pointer, uint64_t value, unsigned condition,
                      uint64_t mask, unsigned bytes) {
  if (condition > hipStreamWaitValueNor) return hipErrorInvalidValue;
  if (const hipError_t error = check_word(pointer, bytes)) return error;
  return enqueue_on(stream, sim::WaitValueWork{reinterpret_cast<uintptr_t>(pointer), value, mask,
                                               condition, bytes});
}

hipError_t write_value(hipStream_t stream, void* pointer, uint64_t value, unsigned bytes) {
  if (const hipError_t error = check_word(pointer, bytes)) return error;
  return enqueue_on(stream,
                    sim::WriteValueWork{reinterpret_cast<uintptr_t>(pointer), value, bytes});
}

bool is_stream_attribute(hipLaunchAttributeID attribute) {
  return attribute == hipLaunchAttributeAccessPolicyWindow ||
         attribute == hipLaunchAttributeSynchronizationPolicy ||
         attribute == hipLaunchAttributeMemSyncDomainMap ||
         attribute == hipLaunchAttributeMemSyncDomain || attribute == hipLaunchAttributePriority;
}

}  // namespace

bool is_word(const void* pointer, unsigned bytes) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address == 0 || address % bytes != 0) return false;
  const sim::AllocationRef allocation = sim::address_map().find(address);
  return allocation && allocation->bytes_from(address) >= bytes;
}

sim::HandleTable<sim::Stream>& stream_table() {
  static auto* const table = new sim::HandleTable<sim::Stream>(1);
  return *table;
}

sim::Stream* borrow_stream(hipStream_t handle, hipError_t* error) {
  *error = hipSuccess;
  if (handle == nullptr || handle == hipStreamLegacy) {
    return &sim::current_device().default_stream();
  }
  if (handle == hipStreamPerThread) return &sim::current_device().per_thread_stream();
  sim::Stream* stream = stream_table().borrow(handle);
  if (!stream) {
    const bool stale = stream_table().state(handle) == sim::HandleState::stale;
    *error = stale ? hipErrorContextIsDestroyed : hipErrorInvalidHandle;
  }
  return stream;
}

StreamRef find_stream(hipStream_t handle, hipError_t* error) {
  sim::Stream* stream = borrow_stream(handle, error);
  return stream ? stream->shared_from_this() : nullptr;
}

hipError_t hipStreamCreate(hipStream_t* stream) { return create(stream, hipStreamDefault, 0); }

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
  return create(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t size, const uint32_t* mask) {
  if (!stream) return hipErrorInvalidHandle;
  if (size == 0 || !mask) return hipErrorInvalidValue;
  if (const hipError_t error = create(stream, hipStreamDefault, 0)) return error;
  hipError_t error;
  find_stream(*stream, &error)->settings.compute_units.assign(mask, mask + size);
  return hipSuccess;
}

// A stream that was given no mask has all compute units.
hipError_t hipExtStreamGetCUMask(hipStream_t handle, uint32_t size, uint32_t* mask) {
  if (!mask || size == 0) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  int units = 0;
  attribute_of(stream->device(), hipDeviceAttributeMultiprocessorCount, &units);
  const auto count = static_cast<uint32_t>(units);
  constexpr uint32_t kBits = 32;
  if (size < (count + kBits - 1) / kBits) return hipErrorInvalidValue;
  const std::vector<uint32_t>& given = stream->settings.compute_units;
  for (uint32_t word = 0; word < size; ++word) {
    const uint32_t first = word * kBits;
    const uint32_t here = count > first ? std::min(count - first, kBits) : 0;
    const uint32_t all = here == kBits ? ~uint32_t{0} : (uint32_t{1} << here) - 1;
    mask[word] = given.empty() ? all : word < given.size() ? given[word] & all : 0;
  }
  return hipSuccess;
}

hipError_t hipStreamSetAttribute(hipStream_t handle, hipLaunchAttributeID attribute,
                                 const hipLaunchAttributeValue* value) {
  if (!value || !is_stream_attribute(attribute)) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  std::lock_guard<std::mutex> lock(stream->settings.mutex);
  stream->settings.attributes[attribute] = *value;
  return hipSuccess;
}

hipError_t hipStreamGetAttribute(hipStream_t handle, hipLaunchAttributeID attribute,
                                 hipLaunchAttributeValue* value) {
  if (!value || !is_stream_attribute(attribute)) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  std::lock_guard<std::mutex> lock(stream->settings.mutex);
  const auto found = stream->settings.attributes.find(attribute);
  *value = {};
  if (found != stream->settings.attributes.end()) {
    *value = found->second;
  } else if (attribute == hipLaunchAttributePriority) {
    value->priority = stream->priority();
  } else if (attribute == hipLaunchAttributeSynchronizationPolicy) {
    value->syncPolicy = hipSyncPolicyAuto;
  }
  return hipSuccess;
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
  hipError_t error;
  const StreamRef from = find_stream(src, &error);
  if (!from) return error;
  const StreamRef to = find_stream(dst, &error);
  if (!to) return error;
  if (from == to) return hipSuccess;
  const std::scoped_lock lock(from->settings.mutex, to->settings.mutex);
  to->settings.attributes = from->settings.attributes;
  return hipSuccess;
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams* operations, unsigned int flags) {
  if (flags != 0) return hipErrorInvalidValue;
  sim::BatchWork work;
  const hipError_t error = batch_work(operations, count, &work);
  return error ? error : enqueue_on(stream, std::move(work));
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  if (handle == nullptr || handle == hipStreamLegacy || handle == hipStreamPerThread) {
    return hipErrorInvalidHandle;
  }
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  sim::abandon_capture(stream);
  if (stream_table().remove(handle)) stream->close();
  return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (const hipError_t refused = sim::capture_forbids_stream_wait(*stream)) return refused;
  stream->synchronize();
  sim::trim_pools(stream->device());
  return hipSuccess;
}

hipError_t hipStreamQuery(hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (const hipError_t refused = sim::capture_forbids_stream_wait(*stream)) return refused;
  return stream->idle() ? hipSuccess : hipErrorNotReady;
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  if (!stream) return hipErrorInvalidValue;
  return get(stream, flags, [](const sim::Stream& s) { return s.flags(); });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return get(stream, priority, [](const sim::Stream& s) { return s.priority(); });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return get(stream, device, [](const sim::Stream& s) { return s.device().ordinal(); });
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* id) {
  return get(stream, id, [](const sim::Stream& s) { return s.id(); });
}

int hipGetStreamDeviceId(hipStream_t handle) {
  if (sim::device_count() == 0) return -1;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  return stream ? stream->device().ordinal() : -1;
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                unsigned int flags) {
  if (!callback || flags != 0) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef found = find_stream(stream, &error);
  if (!found) return error;
  if (const hipError_t refused = sim::capture_forbids_callback(*found)) return refused;
  return sim::enqueue(found, sim::CallbackWork{callback, stream, data});
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  if (!function) return hipErrorInvalidValue;
  return enqueue_on(stream, sim::HostWork{function, data});
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, uint32_t value,
                                unsigned int flags, uint32_t mask) {
  return wait_value(stream, pointer, value, flags, mask, 4);
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, uint64_t value,
                                unsigned int flags, uint64_t mask) {
  return wait_value(stream, pointer, value, flags, mask, 8);
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void* pointer, uint32_t value,
                                 unsigned int flags) {
  return flags == 0 ? write_value(stream, pointer, value, 4) : hipErrorInvalidValue;
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void* pointer, uint64_t value,
                                 unsigned int flags) {
  return flags == 0 ? write_value(stream, pointer, value, 8) : hipErrorInvalidValue;
}

}  // namespace greta::api
