// Which calls a capture forbids, and whom that invalidates.
#include <utility>

#include "device/capture.h"
#include "device/capture_registry.h"
#include "device/device.h"

namespace greta::sim {
namespace {

thread_local hipStreamCaptureMode t_mode = hipStreamCaptureModeGlobal;

// `error` if there is a capture that `matches`; all those are invalid then.
template <typename Predicate>
hipError_t refuse_for(hipError_t error, Predicate matches) {
  const auto lock = graph_lock();
  bool refused = false;
  for (const CaptureRef& capture : running_captures()) {
    if (!matches(*capture)) continue;
    invalidate(*capture);
    refused = true;
  }
  return refused ? error : hipSuccess;
}

bool is_any(const CaptureSequence&) { return true; }

bool is_bound_to_this_thread(const CaptureSequence& capture) {
  return capture.mode != hipStreamCaptureModeRelaxed &&
         capture.owner_thread == this_thread_number();
}

bool is_global(const CaptureSequence& capture) {
  return capture.mode == hipStreamCaptureModeGlobal;
}

// Calls that are safe only if the program knows what it does.
hipError_t refuse_unsafe_call() {
  constexpr hipError_t error = hipErrorStreamCaptureUnsupported;
  if (t_mode == hipStreamCaptureModeRelaxed) return hipSuccess;
  if (const hipError_t refused = refuse_for(error, is_bound_to_this_thread)) return refused;
  return t_mode == hipStreamCaptureModeGlobal ? refuse_for(error, is_global) : hipSuccess;
}

hipError_t refuse_on(const Stream& stream) {
  const auto lock = graph_lock();
  if (stream.capture) invalidate(*stream.capture);
  return hipErrorStreamCaptureUnsupported;
}

bool has_blocking_stream(const CaptureSequence& capture) {
  for (const auto& entry : capture.branches) {
    const StreamRef stream = entry.second.stream.lock();
    if (stream && stream->is_blocking()) return true;
  }
  return false;
}

bool a_blocking_stream_captures() {
  const auto lock = graph_lock();
  for (const CaptureRef& capture : running_captures()) {
    if (has_blocking_stream(*capture)) return true;
  }
  return false;
}

bool is_default_stream(const Stream& stream) {
  return stream.role() == Stream::Role::legacy_default;
}

bool recorded_on_default_stream(const Event& event, const EventRecord& record) {
  const Stream& stream = device_at(event.device()).default_stream();
  return record.marker.timeline == stream.last().timeline;
}

}  // namespace

hipError_t capture_forbids_blocking_call() {
  if (!anything_captures()) return hipSuccess;
  return refuse_for(hipErrorStreamCaptureImplicit, is_any);
}

hipError_t capture_forbids_device_wait() {
  if (!anything_captures()) return hipSuccess;
  return refuse_for(hipErrorStreamCaptureUnsupported, is_any);
}

hipError_t capture_forbids_allocation() {
  return anything_captures() ? refuse_unsafe_call() : hipSuccess;
}

hipError_t capture_forbids_stream_wait(const Stream& stream) {
  if (!anything_captures() || is_default_stream(stream)) return hipSuccess;
  return is_capturing(stream) ? refuse_on(stream) : refuse_unsafe_call();
}

hipError_t capture_forbids_callback(const Stream& stream) {
  if (!anything_captures()) return hipSuccess;
  if (is_capturing(stream)) return refuse_on(stream);
  const bool implicit = is_default_stream(stream) && a_blocking_stream_captures();
  return implicit ? refuse_for(hipErrorStreamCaptureImplicit, is_any) : hipSuccess;
}

hipError_t capture_forbids_event_wait(const Event& event) {
  if (!anything_captures()) return hipSuccess;
  {
    const auto lock = graph_lock();
    const CaptureRef capture = event.captured();
    if (capture && capture->status != hipStreamCaptureStatusNone) {
      invalidate(*capture);
      return hipErrorCapturedEvent;
    }
  }
  const EventRecordRef record = event.last();
  const bool harmless = !record || recorded_on_default_stream(event, *record);
  return harmless ? hipSuccess : refuse_unsafe_call();
}

hipError_t capture_forbids_default_stream_query() {
  if (!anything_captures()) return hipSuccess;
  return a_blocking_stream_captures() ? hipErrorStreamCaptureImplicit : hipSuccess;
}

hipStreamCaptureMode exchange_thread_capture_mode(hipStreamCaptureMode mode) {
  return std::exchange(t_mode, mode);
}

}  // namespace greta::sim
