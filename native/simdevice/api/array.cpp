// Arrays: created, described, destroyed.
#include "device/array.h"

#include <climits>

#include "api/array_handles.h"
#include "api/generated/impl.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/handle_table.h"
#include "device/memory.h"

namespace greta::api {

using sim::Array;
using sim::ArrayRef;

namespace {

constexpr unsigned kFlags = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayTextureGather;

sim::HandleTable<Array>& array_table() {
  static auto* const table = new sim::HandleTable<Array>(10);
  return *table;
}

unsigned bits_of(hipArray_Format format) {
  switch (format) {
    case HIP_AD_FORMAT_UNSIGNED_INT8:
    case HIP_AD_FORMAT_SIGNED_INT8:
      return 8;
    case HIP_AD_FORMAT_UNSIGNED_INT16:
    case HIP_AD_FORMAT_SIGNED_INT16:
    case HIP_AD_FORMAT_HALF:
      return 16;
    case HIP_AD_FORMAT_UNSIGNED_INT32:
    case HIP_AD_FORMAT_SIGNED_INT32:
    case HIP_AD_FORMAT_FLOAT:
      return 32;
  }
  return 0;
}

hipChannelFormatKind kind_of(hipArray_Format format) {
  if (format == HIP_AD_FORMAT_HALF || format == HIP_AD_FORMAT_FLOAT) {
    return hipChannelFormatKindFloat;
  }
  return format <= HIP_AD_FORMAT_UNSIGNED_INT32 ? hipChannelFormatKindUnsigned
                                                : hipChannelFormatKindSigned;
}

hipChannelFormatDesc channels_of(hipArray_Format format, unsigned count) {
  const int bits = static_cast<int>(bits_of(format));
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind_of(format)};
}

// False if no array has such elements: channels of one width, one, two or four of them.
bool format_of(const hipChannelFormatDesc& channels, hipArray_Format* format, unsigned* count) {
  const int widths[] = {channels.x, channels.y, channels.z, channels.w};
  *count = 0;
  for (const int width : widths) {
    if (width == 0) break;
    if (width != channels.x) return false;
    ++*count;
  }
  if (*count != 1 && *count != 2 && *count != 4) return false;
  for (const hipArray_Format known :
       {HIP_AD_FORMAT_UNSIGNED_INT8, HIP_AD_FORMAT_UNSIGNED_INT16, HIP_AD_FORMAT_UNSIGNED_INT32,
        HIP_AD_FORMAT_SIGNED_INT8, HIP_AD_FORMAT_SIGNED_INT16, HIP_AD_FORMAT_SIGNED_INT32,
        HIP_AD_FORMAT_HALF, HIP_AD_FORMAT_FLOAT}) {
    const bool matches = static_cast<int>(bits_of(known)) == channels.x;
    if (!matches || kind_of(known) != channels.f) continue;
    *format = known;
    return true;
  }
  return false;
}

bool is_possible(const HIP_ARRAY3D_DESCRIPTOR& shape) {
  const bool channels = shape.NumChannels == 1 || shape.NumChannels == 2 || shape.NumChannels == 4;
  if (!channels || (shape.Flags & ~kFlags) != 0 || bits_of(shape.Format) == 0) return false;
  const bool flat = shape.Width != 0 && shape.Height != 0 && shape.Depth == 0;
  if ((shape.Flags & hipArrayTextureGather) != 0 && !flat) return false;
  const bool without_rows = shape.Height == 0 && shape.Depth != 0;
  return shape.Width != 0 && (!without_rows || (shape.Flags & hipArrayLayered) != 0);
}

hipError_t create(hipArray_t* out, const HIP_ARRAY3D_DESCRIPTOR& shape) {
  if (!out) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  if (!is_possible(shape)) return hipErrorInvalidValue;
  auto array = std::make_shared<Array>();
  array->shape = shape;
  array->channels = channels_of(shape.Format, shape.NumChannels);
  array->element_bytes = bits_of(shape.Format) / CHAR_BIT * shape.NumChannels;
  size_t bytes;
  if (__builtin_mul_overflow(array->slice_bytes(), array->slices(), &bytes) ||
      bytes / array->slices() / array->rows() / array->element_bytes != shape.Width) {
    return hipErrorOutOfMemory;
  }
  const auto result = sim::allocate_device(sim::current_device(), bytes, 0);
  if (result.error != hipSuccess) return result.error;
  array->allocation = result.allocation;
  *out = static_cast<hipArray_t>(array_table().add(std::move(array)));
  return hipSuccess;
}

hipError_t create(hipArray_t* out, const hipChannelFormatDesc* channels, const hipExtent& extent,
                  unsigned flags) {
  if (!out || !channels) return hipErrorInvalidValue;
  HIP_ARRAY3D_DESCRIPTOR shape{extent.width, extent.height, extent.depth, {}, 0, flags};
  if (!format_of(*channels, &shape.Format, &shape.NumChannels)) return hipErrorInvalidValue;
  return create(out, shape);
}

hipError_t destroy(hipArray_t handle) {
  if (!handle) return hipErrorInvalidValue;
  if (const hipError_t refused = sim::capture_forbids_allocation()) return refused;
  const ArrayRef array = array_table().remove(handle);
  if (!array) return hipErrorContextIsDestroyed;
  sim::device_at(array->allocation->device).synchronize();
  if (!sim::device_lost()) sim::release(array->allocation);
  return hipSuccess;
}

}  // namespace

ArrayRef find_array(hipArray_const_t handle) { return array_table().find(handle); }

hipError_t hipMallocArray(hipArray_t* out, const hipChannelFormatDesc* channels, size_t width,
                          size_t height, unsigned int flags) {
  return create(out, channels, {width, height, 0}, flags);
}

hipError_t hipMalloc3DArray(hipArray_t* out, const hipChannelFormatDesc* channels, hipExtent extent,
                            unsigned int flags) {
  return create(out, channels, extent, flags);
}

hipError_t hipArrayCreate(hipArray_t* out, const HIP_ARRAY_DESCRIPTOR* shape) {
  if (!shape) return hipErrorInvalidValue;
  return create(out, {shape->Width, shape->Height, 0, shape->Format, shape->NumChannels, 0});
}

hipError_t hipArray3DCreate(hipArray_t* out, const HIP_ARRAY3D_DESCRIPTOR* shape) {
  return shape ? create(out, *shape) : hipErrorInvalidValue;
}

hipError_t hipFreeArray(hipArray_t handle) { return destroy(handle); }
hipError_t hipArrayDestroy(hipArray_t handle) { return destroy(handle); }

hipError_t hipArrayGetInfo(hipChannelFormatDesc* channels, hipExtent* extent, unsigned int* flags,
                           hipArray_t handle) {
  const ArrayRef array = find_array(handle);
  if (!array) return hipErrorInvalidHandle;
  if (channels) *channels = array->channels;
  if (extent) *extent = {array->shape.Width, array->shape.Height, array->shape.Depth};
  if (flags) *flags = array->shape.Flags;
  return hipSuccess;
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* shape, hipArray_t handle) {
  const ArrayRef array = find_array(handle);
  if (!array) return hipErrorInvalidHandle;
  if (!shape) return hipErrorInvalidValue;
  *shape = {array->shape.Width, array->shape.Height, array->shape.Format, array->shape.NumChannels};
  return hipSuccess;
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* shape, hipArray_t handle) {
  const ArrayRef array = find_array(handle);
  if (!array) return hipErrorInvalidHandle;
  if (!shape) return hipErrorInvalidValue;
  *shape = array->shape;
  return hipSuccess;
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc* channels, hipArray_const_t handle) {
  const ArrayRef array = find_array(handle);
  if (!array || !channels) return hipErrorInvalidValue;
  *channels = array->channels;
  return hipSuccess;
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // namespace greta::api
