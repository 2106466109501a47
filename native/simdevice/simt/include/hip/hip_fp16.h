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
  GRETA_SIMT_INLINE __half(T value) : __half(static_cast<double>(value)) {}
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
GRETA_SIMT_INLINE __half __float2half_rn(float x) { return __half(x); }
GRETA_SIMT_INLINE __half __double2half(double x) { return __half(x); }

// The directed roundings step back from the nearest where that went too far. Beyond the largest
// number, "toward zero" and the like end at that number and not at infinity, as IEEE 754 has it.
GRETA_SIMT_INLINE __half __float2half_rd(float x) {
  __half nearest(x);
  if (float(nearest) > x) return __half_raw{greta_simt::next_down(nearest.__x)};
  return nearest;
}
GRETA_SIMT_INLINE __half __float2half_ru(float x) {
  __half nearest(x);
  if (float(nearest) < x) return __half_raw{greta_simt::next_up(nearest.__x)};
  return nearest;
}
GRETA_SIMT_INLINE __half __float2half_rz(float x) {
  return x < 0 ? __float2half_ru(x) : __float2half_rd(x);
}

#define GRETA_SIMT_HALF_AND_INTEGER(NAME, T)                                                  \
  GRETA_SIMT_INLINE __half __##NAME##2half_rn(T x) { return __half(static_cast<double>(x)); } \
  GRETA_SIMT_INLINE __half __##NAME##2half_rd(T x) {                                          \
    return __float2half_rd(greta_simt::convert_down<float>(x));                               \
  }                                                                                           \
  GRETA_SIMT_INLINE __half __##NAME##2half_ru(T x) {                                          \
    return __float2half_ru(greta_simt::convert_up<float>(x));                                 \
  }                                                                                           \
  GRETA_SIMT_INLINE __half __##NAME##2half_rz(T x) {                                          \
    return __float2half_rz(greta_simt::convert_toward_zero<float>(x));                        \
  }                                                                                           \
  GRETA_SIMT_INLINE T __half2##NAME##_rn(__half a) {                                          \
    return greta_simt::clamp_to<T>(__builtin_rintf(float(a)));                                \
  }                                                                                           \
  GRETA_SIMT_INLINE T __half2##NAME##_rz(__half a) {                                          \
    return greta_simt::clamp_to<T>(__builtin_truncf(float(a)));                               \
  }                                                                                           \
  GRETA_SIMT_INLINE T __half2##NAME##_rd(__half a) {                                          \
    return greta_simt::clamp_to<T>(__builtin_floorf(float(a)));                               \
  }                                                                                           \
  GRETA_SIMT_INLINE T __half2##NAME##_ru(__half a) {                                          \
    return greta_simt::clamp_to<T>(__builtin_ceilf(float(a)));                                \
  }
GRETA_SIMT_HALF_AND_INTEGER(int, int)
GRETA_SIMT_HALF_AND_INTEGER(uint, unsigned)
GRETA_SIMT_HALF_AND_INTEGER(short, short)
GRETA_SIMT_HALF_AND_INTEGER(ushort, unsigned short)
GRETA_SIMT_HALF_AND_INTEGER(ll, long long)
GRETA_SIMT_HALF_AND_INTEGER(ull, unsigned long long)
#undef GRETA_SIMT_HALF_AND_INTEGER

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

GRETA_SIMT_INLINE __half atomicAdd(__half* address, __half value) {
  return greta_simt::atomic_update(address, [=](__half old) { return old + value; });
}
GRETA_SIMT_INLINE __half2 atomicAdd(__half2* address, __half2 value) {
  return greta_simt::atomic_update(address, [=](__half2 old) { return old + value; });
}
GRETA_SIMT_INLINE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  return atomicAdd(address, value);
}

#endif
