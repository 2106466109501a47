#include "api/copy_box.h"

#include <algorithm>
#include <limits>

#include "api/array_handles.h"
#include "device/address_map.h"

namespace greta::api {

using sim::ArrayRef;
using sim::CopyWork;

namespace {

constexpr size_t kMostPitch = std::numeric_limits<int32_t>::max();

struct Position {
  size_t x;  // in bytes
  size_t y;
  size_t z;
};

struct Extent {
  size_t width;  // in bytes
  size_t height;
  size_t depth;
};

// One side of a box.
struct Side {
  uintptr_t address = 0;
  size_t pitch = 0;
  size_t slice = 0;
};

hipError_t side_of(const sim::Array& array, const Position& from, const Extent& extent,
                   Side* side) {
  const bool inside = from.x <= array.row_bytes() && extent.width <= array.row_bytes() - from.x &&
                      from.y <= array.rows() && extent.height <= array.rows() - from.y &&
                      from.z <= array.slices() && extent.depth <= array.slices() - from.z;
  if (!inside) return hipErrorInvalidValue;
  side->pitch = array.row_bytes();
  side->slice = array.slice_bytes();
  side->address = array.allocation->base + from.z * side->slice + from.y * side->pitch + from.x;
  return hipSuccess;
}

// A pitch or height of 0 is that of the box itself.
hipError_t side_of(const void* base, size_t pitch, size_t rows, const Position& from,
                   const Extent& extent, Side* side) {
  side->pitch = pitch != 0 ? pitch : extent.width;
  size_t offset;
  size_t before;
  if (!base || extent.width > side->pitch) return hipErrorInvalidValue;
  if (__builtin_mul_overflow(side->pitch, rows != 0 ? rows : extent.height, &side->slice) ||
      __builtin_mul_overflow(from.z, side->slice, &offset) ||
      __builtin_mul_overflow(from.y, side->pitch, &before) ||
      __builtin_add_overflow(offset, before, &offset) ||
      __builtin_add_overflow(offset, from.x, &offset)) {
    return hipErrorInvalidValue;
  }
  side->address = reinterpret_cast<uintptr_t>(base) + offset;
  return hipSuccess;
}

void put(const Side& dst, const Side& src, const Extent& extent, CopyWork* box) {
  box->dst = dst.address;
  box->dst_pitch = dst.pitch;
  box->dst_slice = dst.slice;
  box->src = src.address;
  box->src_pitch = src.pitch;
  box->src_slice = src.slice;
  box->width = extent.width;
  box->height = extent.height;
  box->depth = extent.depth;
}

// As AMD's library checks the structure, in its order.
hipError_t check(const hipMemcpy3DParms& params, const ArrayRef& src, const ArrayRef& dst) {
  const bool src_once = (params.srcArray != nullptr) != (params.srcPtr.ptr != nullptr);
  const bool dst_once = (params.dstArray != nullptr) != (params.dstPtr.ptr != nullptr);
  if (!src_once || !dst_once) return hipErrorInvalidValue;
  if ((params.srcArray && !src) || (params.dstArray && !dst)) return hipErrorInvalidHandle;
  if (src && dst && src->element_bytes != dst->element_bytes) return hipErrorInvalidValue;
  if (params.srcPtr.pitch < params.srcPtr.xsize || params.dstPtr.pitch < params.dstPtr.xsize) {
    return hipErrorInvalidPitchValue;
  }
  if (params.srcPtr.pitch >= kMostPitch || params.dstPtr.pitch >= kMostPitch) {
    return hipErrorInvalidValue;
  }
  if (src || dst) return hipSuccess;
  const auto too_wide = [&](size_t pitch, size_t x) {
    return pitch != 0 && (x > pitch || params.extent.width > pitch - x);
  };
  const bool wide = too_wide(params.srcPtr.pitch, params.srcPos.x) ||
                    too_wide(params.dstPtr.pitch, params.dstPos.x);
  return wide ? hipErrorInvalidValue : hipSuccess;
}

// The structure of the driver calls names each side by its kind.
struct NamedSide {
  hipMemoryType type;
  const void* host;
  const void* device;
  hipArray_t array;
  size_t pitch;
  size_t rows;
  Position from;
};

hipError_t side_of(const NamedSide& named, const Extent& extent, Side* side) {
  switch (named.type) {
    case hipMemoryTypeArray: {
      const ArrayRef array = find_array(named.array);
      return array ? side_of(*array, named.from, extent, side) : hipErrorInvalidValue;
    }
    case hipMemoryTypeHost:
    case hipMemoryTypeUnregistered:
      return side_of(named.host, named.pitch, named.rows, named.from, extent, side);
    default: {
      const bool known = named.type == hipMemoryTypeDevice || named.type == hipMemoryTypeManaged ||
                         named.type == hipMemoryTypeUnified;
      const auto address = reinterpret_cast<uintptr_t>(named.device);
      if (!known || !sim::address_map().find(address)) return hipErrorInvalidValue;
      return side_of(named.device, named.pitch, named.rows, named.from, extent, side);
    }
  }
}

}  // namespace

hipError_t box_of(const hipMemcpy3DParms* params, CopyWork* box) {
  if (!params) return hipErrorInvalidValue;
  const ArrayRef src_array = find_array(params->srcArray);
  const ArrayRef dst_array = find_array(params->dstArray);
  if (const hipError_t error = check(*params, src_array, dst_array)) return error;
  // Where an array takes part the width counts its elements; so does the place in an array.
  const size_t src_unit = src_array ? src_array->element_bytes : 1;
  const size_t dst_unit = dst_array ? dst_array->element_bytes : 1;
  Extent extent{0, params->extent.height, params->extent.depth};
  Position from{0, params->srcPos.y, params->srcPos.z};
  Position to{0, params->dstPos.y, params->dstPos.z};
  if (__builtin_mul_overflow(params->extent.width, std::max(src_unit, dst_unit), &extent.width) ||
      __builtin_mul_overflow(params->srcPos.x, src_unit, &from.x) ||
      __builtin_mul_overflow(params->dstPos.x, dst_unit, &to.x)) {
    return hipErrorInvalidValue;
  }
  put({}, {}, extent, box);
  if (is_empty(*box)) return hipSuccess;
  Side src;
  Side dst;
  const hipPitchedPtr& source = params->srcPtr;
  const hipPitchedPtr& target = params->dstPtr;
  hipError_t error = src_array
                         ? side_of(*src_array, from, extent, &src)
                         : side_of(source.ptr, source.pitch, source.ysize, from, extent, &src);
  if (error != hipSuccess) return error;
  error = dst_array ? side_of(*dst_array, to, extent, &dst)
                    : side_of(target.ptr, target.pitch, target.ysize, to, extent, &dst);
  if (error == hipSuccess) put(dst, src, extent, box);
  return error;
}

hipError_t box_of(const HIP_MEMCPY3D* p, CopyWork* box) {
  if (!p) return hipErrorInvalidValue;
  const Extent extent{p->WidthInBytes, p->Height, p->Depth};
  put({}, {}, extent, box);
  if (is_empty(*box)) return hipSuccess;
  Side src;
  Side dst;
  const NamedSide from{p->srcMemoryType,
                       p->srcHost,
                       p->srcDevice,
                       p->srcArray,
                       p->srcPitch,
                       p->srcHeight,
                       {p->srcXInBytes, p->srcY, p->srcZ}};
  const NamedSide to{p->dstMemoryType,
                     p->dstHost,
                     p->dstDevice,
                     p->dstArray,
                     p->dstPitch,
                     p->dstHeight,
                     {p->dstXInBytes, p->dstY, p->dstZ}};
  if (const hipError_t error = side_of(from, extent, &src)) return error;
  if (const hipError_t error = side_of(to, extent, &dst)) return error;
  put(dst, src, extent, box);
  return hipSuccess;
}

hipError_t box_of(const hip_Memcpy2D* p, CopyWork* box) {
  if (!p) return hipErrorInvalidValue;
  HIP_MEMCPY3D params = {};
  params.srcXInBytes = p->srcXInBytes;
  params.srcY = p->srcY;
  params.srcMemoryType = p->srcMemoryType;
  params.srcHost = p->srcHost;
  params.srcDevice = p->srcDevice;
  params.srcArray = p->srcArray;
  params.srcPitch = p->srcPitch;
  params.dstXInBytes = p->dstXInBytes;
  params.dstY = p->dstY;
  params.dstMemoryType = p->dstMemoryType;
  params.dstHost = p->dstHost;
  params.dstDevice = p->dstDevice;
  params.dstArray = p->dstArray;
  params.dstPitch = p->dstPitch;
  params.WidthInBytes = p->WidthInBytes;
  params.Height = p->Height;
  params.Depth = 1;
  return box_of(&params, box);
}

hipError_t place_in(const ArrayRectangle& place, size_t width, size_t height, uintptr_t* address,
                    size_t* pitch) {
  const ArrayRef array = find_array(place.array);
  if (!array) return hipErrorInvalidHandle;
  Side side;
  const hipError_t error = side_of(*array, {place.x, place.y, 0}, {width, height, 1}, &side);
  *address = side.address;
  *pitch = side.pitch;
  return error;
}

}  // namespace greta::api
