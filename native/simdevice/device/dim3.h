// A launch's three-dimensional sizes and indices, as the kernel sees them.
#pragma once

#include <cstdint>

#include "simt/launch_abi.h"

namespace greta::sim {

using Dim3 = greta_simt_dim;

inline uint64_t volume(const Dim3& dim) { return uint64_t{dim.x} * dim.y * dim.z; }

// The position of a linear index (x fastest) inside `extent`.
inline Dim3 position_of(uint64_t linear, const Dim3& extent) {
  if (linear < extent.x) return {static_cast<uint32_t>(linear), 0, 0};  // mostly
  return {static_cast<uint32_t>(linear % extent.x),
          static_cast<uint32_t>(linear / extent.x % extent.y),
          static_cast<uint32_t>(linear / extent.x / extent.y)};
}

}  // namespace greta::sim
