// Copies.
//
// What the host may assume when a copy returns is in device/copy.h; here it becomes waiting or not.
#include "device/copy.h"

#include "api/copy_calls.h"
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/enqueue.h"

namespace greta::api {

using sim::CopyPlan;
using sim::StreamRef;

namespace {

hipError_t copy_on(const StreamRef& stream, CopyPlan&& plan, bool wait) {
  const sim::Marker done = stream->submit(std::move(plan.work));
  if (wait) stream->wait_for(done);
  return hipSuccess;
}

// Both sides are memory HIP does not know: the runtime waits for the stream and copies by itself.
bool is_host_only(const CopyPlan& plan) {
  return plan.dst.kind == sim::SideKind::pageable && plan.src.kind == sim::SideKind::pageable;
}

hipError_t copy_sync(const StreamRef& stream, CopyPlan plan) {
  if (is_host_only(plan)) stream->synchronize();
  const bool wait = plan.sync_call_waits();
  return copy_on(stream, std::move(plan), wait);
}

hipError_t copy_async(const StreamRef& stream, CopyPlan plan) {
  if (sim::is_capturing(*stream)) return sim::enqueue(stream, std::move(plan.work));
  if (plan.async_call_stages()) {
    const hipError_t error = sim::stage_source(plan, stream->place(0));  // no number yet
    return error ? error : copy_on(stream, std::move(plan), false);
  }
  const bool wait = plan.async_call_waits();
  return copy_on(stream, std::move(plan), wait);
}

hipError_t copy_blocking_on(hipStream_t handle, void* dst, const void* src, size_t bytes,
                            hipMemcpyKind kind) {
  if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  if (bytes == 0) return hipSuccess;
  CopyPlan plan;
  if (const hipError_t error = sim::prepare_copy(dst, src, bytes, kind, &plan)) return error;
  return copy_blocking(handle, std::move(plan));
}

hipError_t copy_2d_blocking_on(hipStream_t handle, void* dst, const void* src,
                               const sim::Rectangle& rectangle, hipMemcpyKind kind) {
  if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  if (rectangle.width == 0 || rectangle.height == 0) return hipSuccess;
  CopyPlan plan;
  if (const hipError_t error = sim::prepare_copy_2d(dst, src, rectangle, kind, &plan)) return error;
  return copy_blocking(handle, std::move(plan));
}

}  // namespace

hipError_t copy_blocking(hipStream_t handle, CopyPlan plan) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  return stream ? copy_sync(stream, std::move(plan)) : error;
}

hipError_t copy_queued(hipStream_t handle, CopyPlan plan) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  return stream ? copy_async(stream, std::move(plan)) : error;
}

hipError_t hipMemcpy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return copy_blocking_on(nullptr, dst, src, bytes, kind);
}

hipError_t hipMemcpy_spt(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return copy_blocking_on(hipStreamPerThread, dst, src, bytes, kind);
}

hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                               hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (const hipError_t refused = sim::capture_forbids_stream_wait(*stream)) return refused;
  if (bytes == 0) return hipSuccess;
  CopyPlan plan;
  error = sim::prepare_copy(dst, src, bytes, kind, &plan);
  return error ? error : copy_sync(stream, std::move(plan));
}

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                          hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (bytes == 0) return hipSuccess;
  CopyPlan plan;
  error = sim::prepare_copy(dst, src, bytes, kind, &plan);
  return error ? error : copy_async(stream, std::move(plan));
}

hipError_t hipMemcpyHtoD(void* dst, const void* src, size_t bytes) {
  return api::hipMemcpy(dst, src, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* dst, void* src, size_t bytes) {
  return api::hipMemcpy(dst, src, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(void* dst, void* src, size_t bytes) {
  return api::hipMemcpy(dst, src, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(void* dst, const void* src, size_t bytes, hipStream_t stream) {
  return api::hipMemcpyAsync(dst, src, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* dst, void* src, size_t bytes, hipStream_t stream) {
  return api::hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(void* dst, void* src, size_t bytes, hipStream_t stream) {
  return api::hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return copy_2d_blocking_on(nullptr, dst, src, {width, height, dst_pitch, src_pitch}, kind);
}

hipError_t hipMemcpy2D_spt(void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                           size_t width, size_t height, hipMemcpyKind kind) {
  return copy_2d_blocking_on(hipStreamPerThread, dst, src, {width, height, dst_pitch, src_pitch},
                             kind);
}

hipError_t hipMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (width == 0 || height == 0) return hipSuccess;
  CopyPlan plan;
  error = sim::prepare_copy_2d(dst, src, {width, height, dst_pitch, src_pitch}, kind, &plan);
  return error ? error : copy_async(stream, std::move(plan));
}

hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
  if (!sim::is_device(dst_device) || !sim::is_device(src_device)) return hipErrorInvalidDevice;
  return api::hipMemcpy(dst, src, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device,
                              size_t bytes, hipStream_t stream) {
  if (!sim::is_device(dst_device) || !sim::is_device(src_device)) return hipErrorInvalidDevice;
  return api::hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}

}  // namespace greta::api
