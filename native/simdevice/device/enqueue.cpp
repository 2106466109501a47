#include "device/enqueue.h"

#include <utility>

#include "device/capture.h"
#include "device/device.h"

namespace greta::sim {

hipError_t enqueue(const StreamRef& stream, Work work) {
  if (is_capturing(*stream)) return capture_work(stream, std::move(work));
  stream->submit(std::move(work));
  return hipSuccess;
}

hipError_t enqueue_kernel(Stream& stream, KernelWork&& work, Function& function,
                          const void* called_by) {
  if (is_capturing(stream)) {
    return capture_node(stream.shared_from_this(),
                        kernel_node_work(std::move(work), function.shared_from_this(), called_by,
                                         stream.device().ordinal()));
  }
  stream.submit(std::move(work));
  return hipSuccess;
}

hipError_t record_event(const StreamRef& stream, const EventRef& event) {
  if (is_capturing(*stream)) return capture_record(stream, *event);
  if (event->device() != stream->device().ordinal()) return hipErrorInvalidHandle;
  auto record = std::make_shared<EventRecord>();
  stream->submit_record(record);
  event->set_last(std::move(record));
  if (event->shared()) {
    stream->submit(SharedEventWork{event->shared(), event->shared()->record(), false});
  }
  return hipSuccess;
}

hipError_t wait_event(const StreamRef& stream, const EventRef& event) {
  if (anything_captures() && event->captured()) return capture_wait(stream, *event);
  if (event->shared() && !is_capturing(*stream)) {
    const uint64_t latest = event->shared()->latest();
    if (!event->shared()->is_reached(latest)) {
      stream->submit(SharedEventWork{event->shared(), latest, true});
    }
    return hipSuccess;
  }
  const EventRecordRef record = event->last();
  if (!record) return hipSuccess;
  if (is_capturing(*stream)) return refuse_outside_event(*stream);
  const bool same_stream = record->marker.timeline == stream->last().timeline;
  if (!same_stream && !record->done()) stream->submit(WaitWork{{record->marker}});
  return hipSuccess;
}

}  // namespace greta::sim
