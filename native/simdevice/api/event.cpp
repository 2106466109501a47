// Events.
#include "api/event_handles.h"
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/enqueue.h"
#include "device/pool.h"

namespace greta::api {

using sim::EventRecordRef;
using sim::EventRef;
using sim::StreamRef;

namespace {

constexpr unsigned kReleaseFlags = static_cast<unsigned>(hipEventReleaseToDevice) |
                                   static_cast<unsigned>(hipEventReleaseToSystem) |
                                   static_cast<unsigned>(hipEventDisableSystemFence);
constexpr unsigned kKnownFlags =
    hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | kReleaseFlags;

bool valid_flags(unsigned flags) {
  if (flags & ~kKnownFlags) return false;
  const unsigned release = flags & kReleaseFlags;
  if (release & (release - 1)) return false;  // at most one of them
  return !(flags & hipEventInterprocess) || (flags & hipEventDisableTiming);
}

float milliseconds_between(const sim::EventRecord& start, const sim::EventRecord& stop) {
  return static_cast<float>(stop.reached_ns.load() - start.reached_ns.load()) / 1e6f;
}

}  // namespace

sim::HandleTable<sim::Event>& event_table() {
  static auto* const table = new sim::HandleTable<sim::Event>(2);
  return *table;
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags) {
  if (!event || !valid_flags(flags)) return hipErrorInvalidValue;
  std::shared_ptr<sim::SharedEvent> shared;
  if (flags & hipEventInterprocess) shared = sim::SharedEvent::create();
  *event = static_cast<hipEvent_t>(event_table().add(
      std::make_shared<sim::Event>(flags, sim::current_ordinal(), std::move(shared))));
  return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t* event) {
  return api::hipEventCreateWithFlags(event, hipEventDefault);
}

hipError_t hipEventDestroy(hipEvent_t event) {
  if (event_table().remove(event)) return hipSuccess;
  const bool stale = event_table().state(event) == sim::HandleState::stale;
  return stale ? hipErrorContextIsDestroyed : hipErrorInvalidHandle;
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream_handle) {
  const EventRef event = find_event(handle);
  if (!event) return hipErrorInvalidHandle;
  hipError_t error;
  const StreamRef stream = find_stream(stream_handle, &error);
  if (!stream) return error;
  if (event->device() != stream->device().ordinal()) return hipErrorInvalidHandle;
  return sim::record_event(stream, event);
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  if (flags > hipEventRecordExternal) return hipErrorInvalidValue;
  return api::hipEventRecord(event, stream);
}

hipError_t hipStreamWaitEvent(hipStream_t stream_handle, hipEvent_t handle, unsigned int flags) {
  const EventRef event = find_event(handle);
  if (!event) return hipErrorInvalidHandle;
  if (flags != 0) return hipErrorInvalidValue;
  hipError_t error;
  const StreamRef stream = find_stream(stream_handle, &error);
  if (!stream) return hipErrorInvalidHandle;
  return sim::wait_event(stream, event);
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  const EventRef event = find_event(handle);
  if (!event) return hipErrorInvalidHandle;
  if (const hipError_t refused = sim::capture_forbids_event_wait(*event)) return refused;
  if (event->shared()) event->shared()->wait(event->shared()->latest());
  if (const EventRecordRef record = event->last()) {
    record->marker.wait();
    sim::trim_pools(sim::device_at(event->device()));
  }
  return hipSuccess;
}

hipError_t hipEventQuery(hipEvent_t handle) {
  const EventRef event = find_event(handle);
  if (!event) return hipErrorInvalidHandle;
  if (const hipError_t refused = sim::capture_forbids_event_wait(*event)) return refused;
  if (event->shared() && !event->shared()->is_reached(event->shared()->latest())) {
    return hipErrorNotReady;
  }
  const EventRecordRef record = event->last();
  return !record || record->done() ? hipSuccess : hipErrorNotReady;
}

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  if (!ms) return hipErrorInvalidValue;
  const EventRef first = find_event(start);
  const EventRef second = find_event(stop);
  if (!first || !second || first->device() != second->device()) return hipErrorInvalidHandle;
  const EventRecordRef begin = first->last();
  const EventRecordRef end = second->last();
  if (!begin || !end || !first->has_timing() || !second->has_timing()) {
    return hipErrorInvalidHandle;
  }
  if (!begin->done() || !end->done()) return hipErrorNotReady;
  *ms = milliseconds_between(*begin, *end);
  return hipSuccess;
}

}  // namespace greta::api
