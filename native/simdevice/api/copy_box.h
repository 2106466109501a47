// From the structures that describe copies of boxes to what is copied from where to where.
#pragma once

#include <hip/hip_runtime_api.h>

#include "device/copy.h"

namespace greta::api {

// All give hipSuccess and a box without bytes where there is nothing to copy.
hipError_t box_of(const hipMemcpy3DParms* params, sim::CopyWork* box);
hipError_t box_of(const HIP_MEMCPY3D* params, sim::CopyWork* box);
hipError_t box_of(const hip_Memcpy2D* params, sim::CopyWork* box);

inline bool is_empty(const sim::CopyWork& box) {
  return box.width == 0 || box.height == 0 || box.depth == 0;
}

// A rectangle of an array, by its first byte of a row and its first row.
struct ArrayRectangle {
  hipArray_const_t array;
  size_t x;
  size_t y;
};

// Where it is, and the bytes from row to row; an error if the array is not so large.
hipError_t place_in(const ArrayRectangle& place, size_t width, size_t height, uintptr_t* address,
                    size_t* pitch);

}  // namespace greta::api
