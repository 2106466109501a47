// 8-bit floating point: E4M3 and E5M2, as the Open Compute Project defines them and in the variant
// of gfx942 (FNUZ: no infinities, no negative zero, one NaN, a bias larger by one).
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_FP8_H
#define GRETA_SIMT_HIP_FP8_H

#include "hip/hip_bf16.h"
#include "hip/hip_fp16.h"

#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

enum __hip_fp8_interpretation_t { __HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ };
enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE };

namespace greta_simt {

struct fp8_format {
  int mantissa_bits, bias;
  unsigned largest, infinity, nan;  // without the sign; infinity is nan where there is none
  bool has_negatives_of_all;        // of zero and NaN too
};
GRETA_SIMT_INLINE fp8_format format_of(__hip_fp8_interpretation_t interpretation) {
  switch (interpretation) {
    case __HIP_E4M3:
      return {3, 7, 0x7e, 0x7f, 0x7f, true};
    case __HIP_E5M2:
      return {2, 15, 0x7b, 0x7c, 0x7f, true};
    case __HIP_E4M3_FNUZ:
      return {3, 8, 0x7f, 0x80, 0x80, false};
    default:
      return {2, 16, 0x7f, 0x80, 0x80, false};
  }
}

// To nearest even. What is beyond the largest number becomes it, if finite and `saturates`.
GRETA_SIMT_INLINE __hip_fp8_storage_t to_fp8(double x, bool saturates, fp8_format format) {
  const uint64_t bits = bit_cast<uint64_t>(x), magnitude = bits & ~(uint64_t{1} << 63);
  const unsigned sign = static_cast<unsigned>(bits >> 56) & 0x80;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  unsigned code;
  if (exponent == 1024) {
    code = magnitude == uint64_t{0x7ff} << 52 ? format.infinity : format.nan;
  } else if (exponent > 16) {
    code = saturates ? format.largest : format.infinity;
  } else {
    const int smallest = 1 - format.bias, used = exponent < smallest ? smallest : exponent;
    const uint64_t scale = static_cast<uint64_t>(1023 + format.mantissa_bits - used) << 52;
    const double digits = __builtin_rint(bit_cast<double>(magnitude) * bit_cast<double>(scale));
    // The leading digit of a normal number, and what rounding carried, add to the exponent.
    code = (static_cast<unsigned>(used - smallest) << format.mantissa_bits) +
           static_cast<unsigned>(digits);
    if (code > format.largest) code = saturates ? format.largest : format.infinity;
  }
  const bool has_sign = format.has_negatives_of_all || (code & 0x7f) != 0;
  return static_cast<__hip_fp8_storage_t>(has_sign ? code | sign : code);
}

GRETA_SIMT_INLINE float from_fp8(__hip_fp8_storage_t bits, fp8_format format) {
  const unsigned sign = bits & 0x80u;
  const unsigned code = format.has_negatives_of_all ? bits & 0x7fu : bits;
  const uint32_t signed_bits = sign << 24;
  if (format.has_negatives_of_all ? code > format.infinity || code == format.nan
                                  : code == format.nan)
    return bit_cast<float>(0x7fc00000u);
  if (format.has_negatives_of_all && code == format.infinity)
    return bit_cast<float>(signed_bits | 0x7f800000u);
  const unsigned digits_mask = (1u << format.mantissa_bits) - 1;
  const unsigned exponent = (code & 0x7fu) >> format.mantissa_bits;
  const unsigned leading = exponent != 0 ? digits_mask + 1 : 0;
  const unsigned used = exponent != 0 ? exponent : 1;
  const uint32_t scale = (127 + used - static_cast<unsigned>(format.bias + format.mantissa_bits))
                         << 23;
  const float value = static_cast<float>((code & digits_mask) | leading) * bit_cast<float>(scale);
  return bit_cast<float>(bit_cast<uint32_t>(value) | signed_bits);
}

// Compiled for gfx942 itself, its own formats and float are converted by instructions.
#if defined(__amdgcn__) && defined(__gfx942__)
GRETA_SIMT_INLINE bool is_native_fp8(__hip_fp8_interpretation_t as) {
  return as == __HIP_E4M3_FNUZ || as == __HIP_E5M2_FNUZ;
}
GRETA_SIMT_INLINE __hip_fp8_storage_t to_native_fp8(float x, bool saturates, bool is_e4m3) {
  const float largest = is_e4m3 ? 240.0f : 57344.0f;
  const bool is_finite = (bit_cast<uint32_t>(x) & 0x7f800000u) != 0x7f800000u;
  if (saturates && is_finite) x = __builtin_amdgcn_fmed3f(x, largest, -largest);
  const int code = is_e4m3 ? __builtin_amdgcn_cvt_pk_fp8_f32(x, x, 0, false)
                           : __builtin_amdgcn_cvt_pk_bf8_f32(x, x, 0, false);
  return static_cast<__hip_fp8_storage_t>(code);
}
GRETA_SIMT_INLINE float from_native_fp8(__hip_fp8_storage_t x, bool is_e4m3) {
  return is_e4m3 ? __builtin_amdgcn_cvt_f32_fp8(x, 0) : __builtin_amdgcn_cvt_f32_bf8(x, 0);
}
#else
GRETA_SIMT_INLINE bool is_native_fp8(__hip_fp8_interpretation_t) { return false; }
GRETA_SIMT_INLINE __hip_fp8_storage_t to_native_fp8(float, bool, bool) { return 0; }
GRETA_SIMT_INLINE float from_native_fp8(__hip_fp8_storage_t, bool) { return 0; }
#endif

GRETA_SIMT_INLINE float float_of_fp8(__hip_fp8_storage_t x, __hip_fp8_interpretation_t as) {
  return is_native_fp8(as) ? from_native_fp8(x, as == __HIP_E4M3_FNUZ) : from_fp8(x, format_of(as));
}

}  // namespace greta_simt

GRETA_SIMT_INLINE __hip_fp8_storage_t __hip_cvt_double_to_fp8(double x,
                                                              __hip_saturation_t saturation,
                                                              __hip_fp8_interpretation_t as) {
  return greta_simt::to_fp8(x, saturation == __HIP_SATFINITE, greta_simt::format_of(as));
}
GRETA_SIMT_INLINE __hip_fp8_storage_t __hip_cvt_float_to_fp8(float x, __hip_saturation_t saturation,
                                                             __hip_fp8_interpretation_t as) {
  if (greta_simt::is_native_fp8(as)) {
    return greta_simt::to_native_fp8(x, saturation == __HIP_SATFINITE, as == __HIP_E4M3_FNUZ);
  }
  return __hip_cvt_double_to_fp8(x, saturation, as);
}
GRETA_SIMT_INLINE __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw x,
                                                               __hip_saturation_t saturation,
                                                               __hip_fp8_interpretation_t as) {
  return __hip_cvt_float_to_fp8(float(__half(x)), saturation, as);
}
GRETA_SIMT_INLINE __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw x,
                                                                   __hip_saturation_t saturation,
                                                                   __hip_fp8_interpretation_t as) {
  return __hip_cvt_float_to_fp8(float(__hip_bfloat16(x)), saturation, as);
}
GRETA_SIMT_INLINE __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t x,
                                                      __hip_fp8_interpretation_t as) {
  return __half(greta_simt::float_of_fp8(x, as));
}

// Two at once; the first is in the low byte.
#define GRETA_SIMT_FP8_PAIR(NAME, ONE, FROM)                                          \
  GRETA_SIMT_INLINE __hip_fp8x2_storage_t NAME(FROM x, __hip_saturation_t saturation, \
                                               __hip_fp8_interpretation_t as) {       \
    return static_cast<__hip_fp8x2_storage_t>(ONE({x.x}, saturation, as) |            \
                                              ONE({x.y}, saturation, as) << 8);       \
  }
GRETA_SIMT_FP8_PAIR(__hip_cvt_double2_to_fp8x2, __hip_cvt_double_to_fp8, double2)
GRETA_SIMT_FP8_PAIR(__hip_cvt_float2_to_fp8x2, __hip_cvt_float_to_fp8, float2)
GRETA_SIMT_FP8_PAIR(__hip_cvt_halfraw2_to_fp8x2, __hip_cvt_halfraw_to_fp8, __half2_raw)
GRETA_SIMT_FP8_PAIR(__hip_cvt_bfloat16raw2_to_fp8x2, __hip_cvt_bfloat16raw_to_fp8,
                    __hip_bfloat162_raw)
#undef GRETA_SIMT_FP8_PAIR
GRETA_SIMT_INLINE __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x,
                                                          __hip_fp8_interpretation_t as) {
  return {__hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x), as).x,
          __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x >> 8), as).x};
}

// One, two and four numbers of a format. They are stored and converted; sums are made of floats.
#define GRETA_SIMT_FP8_TYPES(SUFFIX, AS)                                                           \
  struct __hip_fp8_##SUFFIX {                                                                      \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                    \
    static constexpr __hip_fp8_interpretation_t __default_interpret = AS;                          \
    __hip_fp8_storage_t __x;                                                                       \
    __hip_fp8_##SUFFIX() = default;                                                                \
    GRETA_SIMT_INLINE __hip_fp8_##SUFFIX(double x)                                                 \
        : __x(__hip_cvt_double_to_fp8(x, __HIP_SATFINITE, AS)) {}                                  \
    GRETA_SIMT_INLINE __hip_fp8_##SUFFIX(float x)                                                  \
        : __x(__hip_cvt_float_to_fp8(x, __HIP_SATFINITE, AS)) {}                                   \
    GRETA_SIMT_INLINE __hip_fp8_##SUFFIX(const __half& x) : __hip_fp8_##SUFFIX(float(x)) {}        \
    GRETA_SIMT_INLINE __hip_fp8_##SUFFIX(const __hip_bfloat16& x)                                  \
        : __hip_fp8_##SUFFIX(float(x)) {}                                                          \
    template <class T, class = greta_simt::if_integer<T, void>>                                    \
    GRETA_SIMT_INLINE __hip_fp8_##SUFFIX(T x) : __hip_fp8_##SUFFIX(static_cast<double>(x)) {}      \
    GRETA_SIMT_INLINE operator float() const { return greta_simt::float_of_fp8(__x, AS); }         \
    GRETA_SIMT_INLINE explicit operator double() const { return float(*this); }                    \
    GRETA_SIMT_INLINE explicit operator __half() const { return __half(float(*this)); }            \
    GRETA_SIMT_INLINE explicit operator __hip_bfloat16() const {                                   \
      return __hip_bfloat16(float(*this));                                                         \
    }                                                                                              \
    GRETA_SIMT_INLINE explicit operator bool() const { return float(*this) != 0; }                 \
    template <class T, class = greta_simt::if_integer<T, void>>                                    \
    GRETA_SIMT_INLINE explicit operator T() const {                                                \
      return greta_simt::clamp_to<T>(__builtin_truncf(float(*this)));                              \
    }                                                                                              \
  };                                                                                               \
  struct __hip_fp8x2_##SUFFIX {                                                                    \
    __hip_fp8x2_storage_t __x;                                                                     \
    __hip_fp8x2_##SUFFIX() = default;                                                              \
    GRETA_SIMT_INLINE __hip_fp8x2_##SUFFIX(const double2& x)                                       \
        : __x(__hip_cvt_double2_to_fp8x2(x, __HIP_SATFINITE, AS)) {}                               \
    GRETA_SIMT_INLINE __hip_fp8x2_##SUFFIX(const float2& x)                                        \
        : __x(__hip_cvt_float2_to_fp8x2(x, __HIP_SATFINITE, AS)) {}                                \
    GRETA_SIMT_INLINE __hip_fp8x2_##SUFFIX(const __half2& x)                                       \
        : __hip_fp8x2_##SUFFIX(float2(float(x.x), float(x.y))) {}                                  \
    GRETA_SIMT_INLINE __hip_fp8x2_##SUFFIX(const __hip_bfloat162& x)                               \
        : __hip_fp8x2_##SUFFIX(float2(float(x.x), float(x.y))) {}                                  \
    GRETA_SIMT_INLINE operator float2() const {                                                    \
      return float2(greta_simt::float_of_fp8(static_cast<__hip_fp8_storage_t>(__x), AS),           \
                    greta_simt::float_of_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8), AS));     \
    }                                                                                              \
    GRETA_SIMT_INLINE explicit operator __half2() const {                                          \
      return __float22half2_rn(float2(*this));                                                     \
    }                                                                                              \
    GRETA_SIMT_INLINE explicit operator __hip_bfloat162() const {                                  \
      return __float22bfloat162_rn(float2(*this));                                                 \
    }                                                                                              \
  };                                                                                               \
  struct __hip_fp8x4_##SUFFIX {                                                                    \
    __hip_fp8x4_storage_t __x;                                                                     \
    __hip_fp8x4_##SUFFIX() = default;                                                              \
    GRETA_SIMT_INLINE __hip_fp8x4_##SUFFIX(const double4& x)                                       \
        : __x(__hip_cvt_double2_to_fp8x2(double2(x.x, x.y), __HIP_SATFINITE, AS) |                 \
              static_cast<unsigned>(                                                               \
                  __hip_cvt_double2_to_fp8x2(double2(x.z, x.w), __HIP_SATFINITE, AS))              \
                  << 16) {}                                                                        \
    GRETA_SIMT_INLINE __hip_fp8x4_##SUFFIX(const float4& x)                                        \
        : __hip_fp8x4_##SUFFIX(double4(x.x, x.y, x.z, x.w)) {}                                     \
    GRETA_SIMT_INLINE __hip_fp8x4_##SUFFIX(const __half2& low, const __half2& high)                \
        : __hip_fp8x4_##SUFFIX(float4(float(low.x), float(low.y), float(high.x), float(high.y))) { \
    }                                                                                              \
    GRETA_SIMT_INLINE __hip_fp8x4_##SUFFIX(const __hip_bfloat162& low,                             \
                                           const __hip_bfloat162& high)                            \
        : __hip_fp8x4_##SUFFIX(float4(float(low.x), float(low.y), float(high.x), float(high.y))) { \
    }                                                                                              \
    GRETA_SIMT_INLINE operator float4() const {                                                    \
      __hip_fp8x2_##SUFFIX low, high;                                                              \
      low.__x = static_cast<__hip_fp8x2_storage_t>(__x);                                           \
      high.__x = static_cast<__hip_fp8x2_storage_t>(__x >> 16);                                    \
      const float2 first = low, second = high;                                                     \
      return float4(first.x, first.y, second.x, second.y);                                         \
    }                                                                                              \
  };
GRETA_SIMT_FP8_TYPES(e4m3, __HIP_E4M3)
GRETA_SIMT_FP8_TYPES(e5m2, __HIP_E5M2)
GRETA_SIMT_FP8_TYPES(e4m3_fnuz, __HIP_E4M3_FNUZ)
GRETA_SIMT_FP8_TYPES(e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef GRETA_SIMT_FP8_TYPES

#endif
