// Copies of boxes and to and from arrays.
#include <algorithm>

#include "api/array_handles.h"
#include "api/copy_box.h"
#include "api/copy_calls.h"
#include "api/generated/impl.h"
#include "device/capture.h"
#include "device/device.h"

namespace greta::api {

using sim::CopyWork;

namespace {

enum class Wait { blocking, queued };

hipError_t copy_box(const CopyWork& box, hipMemcpyKind kind, hipStream_t stream, Wait wait) {
  if (is_empty(box)) return hipSuccess;
  sim::CopyPlan plan;
  if (const hipError_t error = sim::prepare_copy_3d(box, kind, &plan)) return error;
  return wait == Wait::blocking ? copy_blocking(stream, std::move(plan))
                                : copy_queued(stream, std::move(plan));
}

template <typename Params>
hipError_t copy_by(const Params* params, hipMemcpyKind kind, hipStream_t stream, Wait wait) {
  if (wait == Wait::blocking) {
    if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  }
  CopyWork box;
  if (const hipError_t error = box_of(params, &box)) return error;
  return copy_box(box, kind, stream, wait);
}

hipError_t copy_3d(const hipMemcpy3DParms* params, hipStream_t stream, Wait wait) {
  return copy_by(params, params ? params->kind : hipMemcpyDefault, stream, wait);
}

bool is_kind(hipMemcpyKind kind) {
  return static_cast<unsigned>(kind) <= hipMemcpyDefault || kind == hipMemcpyDeviceToDeviceNoCU;
}

hipError_t check_rows(const void* pointer, size_t pitch, size_t width) {
  if (!pointer) return hipErrorInvalidValue;
  return pitch == 0 || pitch < width ? hipErrorInvalidPitchValue : hipSuccess;
}

// Rows of ordinary memory, on either side of an array.
struct Rows {
  const void* base;
  size_t pitch;
};

struct ArrayCopy {
  ArrayRectangle array;
  Rows rows;
  size_t width;
  size_t height;
  bool to_array;
};

hipError_t copy_array(const ArrayCopy& copy, hipMemcpyKind kind, hipStream_t stream, Wait wait) {
  if (wait == Wait::blocking) {
    if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  }
  if (!is_kind(kind)) return hipErrorInvalidMemcpyDirection;
  if (const hipError_t error = check_rows(copy.rows.base, copy.rows.pitch, copy.width)) {
    return error;
  }
  uintptr_t in_array;
  size_t array_pitch;
  const hipError_t error = place_in(copy.array, copy.width, copy.height, &in_array, &array_pitch);
  if (error != hipSuccess) return error;
  const auto outside = reinterpret_cast<uintptr_t>(copy.rows.base);
  CopyWork box;
  box.dst = copy.to_array ? in_array : outside;
  box.src = copy.to_array ? outside : in_array;
  box.dst_pitch = copy.to_array ? array_pitch : copy.rows.pitch;
  box.src_pitch = copy.to_array ? copy.rows.pitch : array_pitch;
  box.width = copy.width;
  box.height = copy.height;
  return copy_box(box, kind, stream, wait);
}

// Bytes that go on from row to row, as they lie in the array.
hipError_t copy_bytes(const ArrayRectangle& place, const void* outside, size_t bytes,
                      hipMemcpyKind kind, bool to_array, hipStream_t stream, Wait wait) {
  if (wait == Wait::blocking) {
    if (const hipError_t refused = sim::capture_forbids_blocking_call()) return refused;
  }
  const sim::ArrayRef array = find_array(place.array);
  if (!array || !outside) return hipErrorInvalidValue;
  if (!is_kind(kind)) return hipErrorInvalidMemcpyDirection;
  const size_t total = array->slice_bytes() * array->slices();
  const size_t row = array->row_bytes();
  if (place.x > row || place.y >= array->rows()) return hipErrorInvalidValue;
  const size_t begin = place.y * row + place.x;
  if (bytes > total - begin) return hipErrorInvalidValue;
  const uintptr_t inside = array->allocation->base + begin;
  CopyWork box;
  box.dst = to_array ? inside : reinterpret_cast<uintptr_t>(outside);
  box.src = to_array ? reinterpret_cast<uintptr_t>(outside) : inside;
  box.width = box.dst_pitch = box.src_pitch = bytes;
  return copy_box(box, kind, stream, wait);
}

// One side of a copy of a batch, in the words of hipMemcpy3D.
void put_operand(const hipMemcpy3DOperand& side, const hipExtent& extent, size_t element,
                 hipArray_t* array, hipPos* at, hipPitchedPtr* rows) {
  if (side.type == hipMemcpyOperandTypeArray) {
    *array = side.op.array.array;
    *at = {side.op.array.offset.x, side.op.array.offset.y, side.op.array.offset.z};
    return;
  }
  const auto& pointer = side.op.ptr;
  const size_t row = (pointer.rowLength ? pointer.rowLength : extent.width) * element;
  *rows = {pointer.ptr, row, row, pointer.layerHeight ? pointer.layerHeight : extent.height};
}

// Lengths are elements of the array, if one side is one, else bytes.
hipError_t plain_copy(const hipMemcpy3DBatchOp& copy, hipMemcpy3DParms* plain) {
  size_t element = 1;
  for (const hipMemcpy3DOperand* side : {&copy.src, &copy.dst}) {
    if (side->type == hipMemcpyOperandTypePointer) continue;
    if (side->type != hipMemcpyOperandTypeArray) return hipErrorInvalidValue;
    const sim::ArrayRef array = find_array(side->op.array.array);
    if (!array) return hipErrorInvalidValue;
    element = array->element_bytes;
  }
  *plain = {};
  plain->extent = copy.extent;
  plain->kind = hipMemcpyDefault;
  put_operand(copy.src, copy.extent, element, &plain->srcArray, &plain->srcPos, &plain->srcPtr);
  put_operand(copy.dst, copy.extent, element, &plain->dstArray, &plain->dstPos, &plain->dstPtr);
  return hipSuccess;
}

hipError_t copy_of_batch(const hipMemcpy3DBatchOp& copy, hipStream_t stream) {
  const hipExtent& extent = copy.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return hipErrorInvalidValue;
  hipMemcpy3DParms plain;
  if (const hipError_t error = plain_copy(copy, &plain)) return error;
  return copy_3d(&plain, stream, Wait::queued);
}

}  // namespace

hipError_t hipMemcpy3D(const hipMemcpy3DParms* params) {
  return copy_3d(params, nullptr, Wait::blocking);
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* params) {
  return copy_3d(params, hipStreamPerThread, Wait::blocking);
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* params, hipStream_t stream) {
  return copy_3d(params, stream, Wait::queued);
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* params) {
  return copy_by(params, hipMemcpyDefault, nullptr, Wait::blocking);
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* params, hipStream_t stream) {
  return copy_by(params, hipMemcpyDefault, stream, Wait::queued);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D* params) {
  return copy_by(params, hipMemcpyDefault, nullptr, Wait::blocking);
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* params, hipStream_t stream) {
  return copy_by(params, hipMemcpyDefault, stream, Wait::queued);
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* params) {
  return copy_by(params, hipMemcpyDefault, nullptr, Wait::blocking);
}

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                              size_t width, size_t height, hipMemcpyKind kind) {
  return copy_array({{dst, x, y}, {src, pitch}, width, height, true}, kind, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                                  size_t width, size_t height, hipMemcpyKind kind) {
  return copy_array({{dst, x, y}, {src, pitch}, width, height, true}, kind, hipStreamPerThread,
                    Wait::blocking);
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t x, size_t y, const void* src,
                                   size_t pitch, size_t width, size_t height, hipMemcpyKind kind,
                                   hipStream_t stream) {
  return copy_array({{dst, x, y}, {src, pitch}, width, height, true}, kind, stream, Wait::queued);
}

hipError_t hipMemcpy2DFromArray(void* dst, size_t pitch, hipArray_const_t src, size_t x, size_t y,
                                size_t width, size_t height, hipMemcpyKind kind) {
  return copy_array({{src, x, y}, {dst, pitch}, width, height, false}, kind, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpy2DFromArray_spt(void* dst, size_t pitch, hipArray_const_t src, size_t x,
                                    size_t y, size_t width, size_t height, hipMemcpyKind kind) {
  return copy_array({{src, x, y}, {dst, pitch}, width, height, false}, kind, hipStreamPerThread,
                    Wait::blocking);
}

hipError_t hipMemcpy2DFromArrayAsync(void* dst, size_t pitch, hipArray_const_t src, size_t x,
                                     size_t y, size_t width, size_t height, hipMemcpyKind kind,
                                     hipStream_t stream) {
  return copy_array({{src, x, y}, {dst, pitch}, width, height, false}, kind, stream, Wait::queued);
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t dst_x, size_t dst_y, hipArray_const_t src,
                                   size_t src_x, size_t src_y, size_t width, size_t height,
                                   hipMemcpyKind kind) {
  const bool within = kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault;
  if (!within) return hipErrorInvalidMemcpyDirection;
  uintptr_t from;
  size_t pitch;
  const hipError_t error = place_in({src, src_x, src_y}, width, height, &from, &pitch);
  if (error != hipSuccess) return error;
  const ArrayCopy copy{
      {dst, dst_x, dst_y}, {reinterpret_cast<const void*>(from), pitch}, width, height, true};
  return copy_array(copy, kind, nullptr, Wait::blocking);
}

hipError_t hipMemcpyToArray(hipArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                            hipMemcpyKind kind) {
  return copy_bytes({dst, x, y}, src, bytes, kind, true, nullptr, Wait::blocking);
}

hipError_t hipMemcpyFromArray(void* dst, hipArray_const_t src, size_t x, size_t y, size_t bytes,
                              hipMemcpyKind kind) {
  return copy_bytes({src, x, y}, dst, bytes, kind, false, nullptr, Wait::blocking);
}

hipError_t hipMemcpyFromArray_spt(void* dst, hipArray_const_t src, size_t x, size_t y, size_t bytes,
                                  hipMemcpyKind kind) {
  return copy_bytes({src, x, y}, dst, bytes, kind, false, hipStreamPerThread, Wait::blocking);
}

hipError_t hipMemcpyHtoA(hipArray_t dst, size_t offset, const void* src, size_t bytes) {
  return copy_bytes({dst, offset, 0}, src, bytes, hipMemcpyHostToDevice, true, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpyAtoH(void* dst, hipArray_t src, size_t offset, size_t bytes) {
  return copy_bytes({src, offset, 0}, dst, bytes, hipMemcpyDeviceToHost, false, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpyHtoAAsync(hipArray_t dst, size_t offset, const void* src, size_t bytes,
                              hipStream_t stream) {
  return copy_bytes({dst, offset, 0}, src, bytes, hipMemcpyHostToDevice, true, stream,
                    Wait::queued);
}

hipError_t hipMemcpyAtoHAsync(void* dst, hipArray_t src, size_t offset, size_t bytes,
                              hipStream_t stream) {
  return copy_bytes({src, offset, 0}, dst, bytes, hipMemcpyDeviceToHost, false, stream,
                    Wait::queued);
}

hipError_t hipMemcpyDtoA(hipArray_t dst, size_t offset, hipDeviceptr_t src, size_t bytes) {
  return copy_bytes({dst, offset, 0}, src, bytes, hipMemcpyDeviceToDevice, true, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpyAtoD(hipDeviceptr_t dst, hipArray_t src, size_t offset, size_t bytes) {
  return copy_bytes({src, offset, 0}, dst, bytes, hipMemcpyDeviceToDevice, false, nullptr,
                    Wait::blocking);
}

hipError_t hipMemcpyAtoA(hipArray_t dst, size_t dst_offset, hipArray_t src, size_t src_offset,
                         size_t bytes) {
  const sim::ArrayRef from = find_array(src);
  if (!from || src_offset > from->row_bytes()) return hipErrorInvalidValue;
  const auto address = from->allocation->base + src_offset;
  return copy_bytes({dst, dst_offset, 0}, reinterpret_cast<const void*>(address), bytes,
                    hipMemcpyDeviceToDevice, true, nullptr, Wait::blocking);
}

hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* params) {
  if (!params) return hipErrorInvalidValue;
  const hipMemcpy3DParms plain{params->srcArray, params->srcPos,         params->srcPtr,
                               params->dstArray, params->dstPos,         params->dstPtr,
                               params->extent,   hipMemcpyDeviceToDevice};
  if (!sim::is_device(params->srcDevice) || !sim::is_device(params->dstDevice)) {
    return hipErrorInvalidDevice;
  }
  return copy_3d(&plain, nullptr, Wait::blocking);
}

hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* params, hipStream_t stream) {
  if (!params) return hipErrorInvalidValue;
  const hipMemcpy3DParms plain{params->srcArray, params->srcPos,         params->srcPtr,
                               params->dstArray, params->dstPos,         params->dstPtr,
                               params->extent,   hipMemcpyDeviceToDevice};
  if (!sim::is_device(params->srcDevice) || !sim::is_device(params->dstDevice)) {
    return hipErrorInvalidDevice;
  }
  return copy_3d(&plain, stream, Wait::queued);
}

// One failing copy ends the batch; those before it have been queued.
hipError_t hipMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count,
                               hipMemcpyAttributes*, size_t*, size_t attributes, size_t* failed,
                               hipStream_t stream) {
  if (!dsts || !srcs || !sizes || !failed || count == 0) return hipErrorInvalidValue;
  if (attributes > 0) return hipErrorNotSupported;
  *failed = SIZE_MAX;
  for (size_t i = 0; i < count; ++i) {
    const hipError_t error =
        sizes[i] == 0 ? hipErrorInvalidValue
                      : api::hipMemcpyAsync(dsts[i], srcs[i], sizes[i], hipMemcpyDefault, stream);
    if (error == hipSuccess) continue;
    *failed = i;
    return error;
  }
  return hipSuccess;
}

hipError_t hipMemcpy3DBatchAsync(size_t count, hipMemcpy3DBatchOp* copies, size_t* failed,
                                 unsigned long long flags, hipStream_t stream) {
  if (!copies || count == 0 || flags != 0) return hipErrorInvalidValue;
  if (failed) *failed = SIZE_MAX;
  for (size_t i = 0; i < count; ++i) {
    const hipError_t error = copy_of_batch(copies[i], stream);
    if (error == hipSuccess) continue;
    if (failed) *failed = i;
    return error;
  }
  return hipSuccess;
}

}  // namespace greta::api
