// An array: device memory whose elements are named by their coordinates. On hardware it may lie in
// any order; here its rows lie one behind the other, without gaps.
#pragma once

#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "device/address_map.h"

namespace greta::sim {

struct Array {
  AllocationRef allocation;
  HIP_ARRAY3D_DESCRIPTOR
  shape{};  // in elements; a height or depth of 0 is that of fewer dimensions
  hipChannelFormatDesc channels{};
  size_t element_bytes = 0;

  size_t row_bytes() const { return shape.Width * element_bytes; }
  size_t rows() const { return std::max<size_t>(shape.Height, 1); }
  size_t slices() const { return std::max<size_t>(shape.Depth, 1); }
  size_t slice_bytes() const { return row_bytes() * rows(); }
};

using ArrayRef = std::shared_ptr<Array>;

}  // namespace greta::sim
