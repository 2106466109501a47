// Fills.
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "device/capture.h"
#include "device/copy.h"
#include "device/device.h"
#include "device/enqueue.h"

namespace greta::api {

using sim::FillPlan;
using sim::StreamRef;

namespace {

// hipMemset returns before the fill is done where HIP's does, see FillPlan.
hipError_t fill_blocking_on(hipStream_t handle, FillPlan plan) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  const sim::Marker done = stream->submit(plan.work);
  if (plan.sync_call_waits) done.wait();
  return hipSuccess;
}

hipError_t fill(hipStream_t stream, void* dst, uint32_t value, unsigned element, size_t count) {
  if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  if (count == 0) return hipSuccess;
  FillPlan plan;
  const hipError_t error = sim::prepare_fill(dst, value, element, count, &plan);
  return error ? error : fill_blocking_on(stream, plan);
}

hipError_t fill_2d(hipStream_t stream, void* dst, size_t pitch, int value, size_t width,
                   size_t height) {
  if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  if (width == 0 || height == 0) return hipSuccess;
  FillPlan plan;
  const hipError_t error = sim::prepare_fill_2d(dst, pitch, value, width, height, &plan);
  return error ? error : fill_blocking_on(stream, plan);
}

hipError_t fill_async(hipStream_t handle, void* dst, uint32_t value, unsigned element,
                      size_t count) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (count == 0) return hipSuccess;
  FillPlan plan;
  error = sim::prepare_fill(dst, value, element, count, &plan);
  return error ? error : sim::enqueue(stream, plan.work);
}

// Rows of elements that are one behind the other at `pitch` bytes.
sim::FillWork rows_of(void* dst, size_t pitch, uint32_t value, unsigned element, size_t width,
                      size_t height) {
  sim::FillWork work;
  work.dst = reinterpret_cast<uintptr_t>(dst);
  work.value = value;
  work.element_bytes = element;
  work.width = width;
  work.height = height;
  work.pitch = pitch;
  return work;
}

sim::FillWork box_of(const hipPitchedPtr& place, int value, const hipExtent& extent) {
  sim::FillWork work = rows_of(place.ptr, place.pitch, static_cast<unsigned char>(value), 1,
                               extent.width, extent.height);
  work.depth = extent.depth;
  work.slice = place.pitch * place.ysize;
  return work;
}

bool is_empty(const sim::FillWork& work) {
  return work.width == 0 || work.height == 0 || work.depth == 0;
}

hipError_t fill_box(hipStream_t stream, const sim::FillWork& work) {
  if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  if (is_empty(work)) return hipSuccess;
  FillPlan plan;
  const hipError_t error = sim::prepare_fill_3d(work, &plan);
  return error ? error : fill_blocking_on(stream, plan);
}

hipError_t fill_box_async(hipStream_t handle, const sim::FillWork& work) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (is_empty(work)) return hipSuccess;
  FillPlan plan;
  error = sim::prepare_fill_3d(work, &plan);
  return error ? error : sim::enqueue(stream, plan.work);
}

uint32_t byte_of(int value) { return static_cast<unsigned char>(value); }

}  // namespace

hipError_t hipMemset(void* dst, int value, size_t bytes) {
  return fill(nullptr, dst, byte_of(value), 1, bytes);
}

hipError_t hipMemset_spt(void* dst, int value, size_t bytes) {
  return fill(hipStreamPerThread, dst, byte_of(value), 1, bytes);
}

hipError_t hipMemsetAsync(void* dst, int value, size_t bytes, hipStream_t stream) {
  return fill_async(stream, dst, byte_of(value), 1, bytes);
}

hipError_t hipMemsetD8(void* dst, unsigned char value, size_t count) {
  return fill(nullptr, dst, value, 1, count);
}

hipError_t hipMemsetD8Async(void* dst, unsigned char value, size_t count, hipStream_t stream) {
  return fill_async(stream, dst, value, 1, count);
}

hipError_t hipMemsetD16(void* dst, unsigned short value, size_t count) {
  return fill(nullptr, dst, value, 2, count);
}

hipError_t hipMemsetD16Async(void* dst, unsigned short value, size_t count, hipStream_t stream) {
  return fill_async(stream, dst, value, 2, count);
}

hipError_t hipMemsetD32(void* dst, int value, size_t count) {
  return fill(nullptr, dst, static_cast<uint32_t>(value), 4, count);
}

hipError_t hipMemsetD32Async(void* dst, int value, size_t count, hipStream_t stream) {
  return fill_async(stream, dst, static_cast<uint32_t>(value), 4, count);
}

hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(nullptr, dst, pitch, value, width, height);
}

hipError_t hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_2d(hipStreamPerThread, dst, pitch, value, width, height);
}

hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (width == 0 || height == 0) return hipSuccess;
  FillPlan plan;
  error = sim::prepare_fill_2d(dst, pitch, value, width, height, &plan);
  return error ? error : sim::enqueue(stream, plan.work);
}

hipError_t hipMemset3D(hipPitchedPtr place, int value, hipExtent extent) {
  return fill_box(nullptr, box_of(place, value, extent));
}

hipError_t hipMemset3D_spt(hipPitchedPtr place, int value, hipExtent extent) {
  return fill_box(hipStreamPerThread, box_of(place, value, extent));
}

hipError_t hipMemset3DAsync(hipPitchedPtr place, int value, hipExtent extent, hipStream_t stream) {
  return fill_box_async(stream, box_of(place, value, extent));
}

hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return fill_box(nullptr, rows_of(dst, pitch, value, 1, width, height));
}

hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                              size_t height, hipStream_t stream) {
  return fill_box_async(stream, rows_of(dst, pitch, value, 1, width, height));
}

hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return fill_box(nullptr, rows_of(dst, pitch, value, 2, width, height));
}

hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                               size_t height, hipStream_t stream) {
  return fill_box_async(stream, rows_of(dst, pitch, value, 2, width, height));
}

hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                          size_t height) {
  return fill_box(nullptr, rows_of(dst, pitch, value, 4, width, height));
}

hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                               size_t height, hipStream_t stream) {
  return fill_box_async(stream, rows_of(dst, pitch, value, 4, width, height));
}

}  // namespace greta::api
