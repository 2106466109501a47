// half and half2.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_FP16_H
#define GRETA_SIMT_HIP_FP16_H

#include "greta_simt/small_float.h"
#include "hip/hip_runtime.h"

struct __half_raw {
  unsigned short x;
};

struct __half {
  unsigned short __x;

  __half() = default;
  GRETA_SIMT_INLINE __half(const __half_raw& raw) : __x(raw.x) {}
  GRETA_SIMT_INLINE __half(float value) : __x(greta_simt::float_to_half(value)) {}
  GRETA_SIMT_INLINE __half(double value) : __half(greta_simt::round_to_odd(value)) {}
  template <class T, class = greta_simt::if_integer<T, void>>
  GRETA_SIMT_INLINE __half(T value) : __half(greta_simt::round_to_odd(value)) {}
#if defined(__FLT16_MANT_DIG__)
  GRETA_SIMT_INLINE __half(_Float16 value) : __x(greta_simt::bit_cast<unsigned short>(value)) {}
#endif

  GRETA_SIMT_INLINE operator float() const { return greta_simt::half_to_float(__x); }
  GRETA_SIMT_INLINE operator __half_raw() const { return {__x}; }
#if defined(__FLT16_MANT_DIG__)
  GRETA_SIMT_INLINE explicit operator _Float16() const {
    return greta_simt::bit_cast<_Float16>(__x);
  }
#endif
};
using half = __half;

GRETA_SIMT_SMALL_FLOAT_OPERATORS(__half)
GRETA_SIMT_SMALL_FLOAT_INTRINSICS(__half)

GRETA_SIMT_INLINE unsigned short __half_as_ushort(__half a) { return a.__x; }
GRETA_SIMT_INLINE short __half_as_short(__half a) { return static_cast<short>(a.__x); }
GRETA_SIMT_INLINE __half __ushort_as_half(unsigned short x) { return __half_raw{x}; }
GRETA_SIMT_INLINE __half __short_as_half(short x) {
  return __half_raw{static_cast<unsigned short>(x)};
}

GRETA_SIMT_INLINE float __half2float(__half a) { return float(a); }
GRETA_SIMT_INLINE __half __float2half(float x) { return __half(x); }
GRETA_SIMT_INLINE __half __double2half(double x) { return __half(x); }

GRETA_SIMT_SMALL_FLOAT_ROUNDINGS(__half, __half_raw, half)

struct __half2_raw {
  unsigned short x, y;
};

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  GRETA_SIMT_INLINE __half2(const __half& a, const __half& b) : x(a), y(b) {}
  GRETA_SIMT_INLINE explicit __half2(const __half& both) : x(both), y(both) {}
  GRETA_SIMT_INLINE __half2(const __half2_raw& raw)
      : x(__ushort_as_half(raw.x)), y(__ushort_as_half(raw.y)) {}
};
using half2 = __half2;

GRETA_SIMT_SMALL_PAIR(__half2, __half)

GRETA_SIMT_INLINE __half2 make_half2(__half x, __half y) { return __half2(x, y); }
GRETA_SIMT_INLINE __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
GRETA_SIMT_INLINE __half2 __half2half2(__half a) { return __half2(a, a); }
GRETA_SIMT_INLINE __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
GRETA_SIMT_INLINE __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
GRETA_SIMT_INLINE __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
GRETA_SIMT_INLINE float2 __half22float2(__half2 a) { return float2(float(a.x), float(a.y)); }
GRETA_SIMT_INLINE __half __low2half(__half2 a) { return a.x; }
GRETA_SIMT_INLINE __half __high2half(__half2 a) { return a.y; }
GRETA_SIMT_INLINE float __low2float(__half2 a) { return float(a.x); }
GRETA_SIMT_INLINE float __high2float(__half2 a) { return float(a.y); }
GRETA_SIMT_INLINE __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
GRETA_SIMT_INLINE __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
GRETA_SIMT_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
GRETA_SIMT_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
GRETA_SIMT_INLINE __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }

#if defined(__HIPCC__)
GRETA_SIMT_INLINE __half atomicAdd(__half* address, __half value) {
  return greta_simt::atomic_update(address, [=](__half old) { return old + value; });
}
GRETA_SIMT_INLINE __half2 atomicAdd(__half2* address, __half2 value) {
  return greta_simt::atomic_update(address, [=](__half2 old) { return old + value; });
}
GRETA_SIMT_INLINE __half unsafeAtomicAdd(__half* address, __half value) {
  return atomicAdd(address, value);
}
GRETA_SIMT_INLINE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  return atomicAdd(address, value);
}
#endif

// Both products and c, added up as float.
GRETA_SIMT_INLINE float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturates) {
  const float sum = float(a.x) * float(b.x) + float(a.y) * float(b.y) + c;
  return saturates ? greta_simt::saturate(sum) : sum;
}

#endif
