// Scales and minima of q4_k and q5_k: six bits each, packed in twelve bytes.
#pragma once

#include <cstdint>

namespace greta::kernels::GRETA_ISA {

struct KScale {
  int scale;
  int minimum;
};

inline KScale k_scale(const uint8_t* packed, int j) {
  if (j < 4) return {packed[j] & 63, packed[j + 4] & 63};
  return {(packed[j + 4] & 15) | (packed[j - 4] >> 6) << 4, (packed[j + 4] >> 4) | (packed[j] >> 6)
                                                                                       << 4};
}

}  // namespace greta::kernels::GRETA_ISA
