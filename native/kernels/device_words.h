// HIP's words, as far as the kernels' blocks.h uses them, for a CPU compiler. So the layouts of the
// weights are written down once.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#define __device__

namespace greta {

struct Half {
  uint16_t bits;
};

inline float __uint_as_float(unsigned bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline unsigned __float_as_uint(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline Half __ushort_as_half(uint16_t bits) { return {bits}; }
inline uint16_t __half_as_ushort(Half half) { return half.bits; }

// Without a branch: the exponent moves by a multiplication, which also makes subnormals right;
// infinity and NaN get the rest of their exponent.
inline float __half2float(Half half) {
  const unsigned sign = (half.bits & 0x8000u) << 16, rest = (half.bits & 0x7fffu) << 13;
  const unsigned scaled = __float_as_uint(__uint_as_float(rest) * 0x1p112f);
  const unsigned special = rest >= 0x7c00u << 13 ? 0x7f800000u : 0;
  return __uint_as_float(sign | scaled | special);
}

// To the nearest, ties to even: adding a number of the right size drops the bits that are too many.
inline Half __float2half(float value) {
  const unsigned bits = __float_as_uint(value), sign = bits >> 16 & 0x8000u;
  const unsigned magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<uint16_t>(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u) return {static_cast<uint16_t>(sign | 0x7c00u)};
  if (magnitude < 0x38800000u) {
    const unsigned small = __float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000u;
    return {static_cast<uint16_t>(sign | small)};
  }
  const unsigned rounded = magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1);
  return {static_cast<uint16_t>(sign | rounded >> 13)};
}

}  // namespace greta
