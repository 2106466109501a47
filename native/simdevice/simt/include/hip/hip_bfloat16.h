// hip_bfloat16, HIP's older bfloat16 type.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_BFLOAT16_H
#define GRETA_SIMT_HIP_BFLOAT16_H

#include "greta_simt/small_float.h"
#include "hip/hip_runtime.h"

struct hip_bfloat16 {
  uint16_t data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  GRETA_SIMT_INLINE explicit hip_bfloat16(float value)
      : data(greta_simt::float_to_bfloat16(value)) {}
  GRETA_SIMT_INLINE explicit hip_bfloat16(float value, truncate_t)
      : data(static_cast<uint16_t>(greta_simt::bit_cast<uint32_t>(value) >> 16)) {}
  GRETA_SIMT_INLINE operator float() const { return greta_simt::bfloat16_to_float(data); }
  GRETA_SIMT_INLINE hip_bfloat16& operator=(float value) {
    data = greta_simt::float_to_bfloat16(value);
    return *this;
  }
  static GRETA_SIMT_INLINE hip_bfloat16 round_to_bfloat16(float value) {
    return hip_bfloat16(value);
  }
  static GRETA_SIMT_INLINE hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
    return hip_bfloat16(value, truncate);
  }
};

GRETA_SIMT_SMALL_FLOAT_OPERATORS(hip_bfloat16)

#endif
