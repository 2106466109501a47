// __hip_bfloat16 and pairs of it.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_BF16_H
#define GRETA_SIMT_HIP_BF16_H

#include "greta_simt/small_float.h"
#include "hip/hip_runtime.h"

struct __hip_bfloat16_raw {
  unsigned short x;
};

struct __hip_bfloat16 {
  unsigned short __x;

  __hip_bfloat16() = default;
  GRETA_SIMT_INLINE __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
  GRETA_SIMT_INLINE __hip_bfloat16(float value) : __x(greta_simt::float_to_bfloat16(value)) {}
  GRETA_SIMT_INLINE __hip_bfloat16(double value)
      : __hip_bfloat16(greta_simt::round_to_odd(value)) {}
  template <class T, class = greta_simt::if_integer<T, void>>
  GRETA_SIMT_INLINE __hip_bfloat16(T value) : __hip_bfloat16(greta_simt::round_to_odd(value)) {}

  GRETA_SIMT_INLINE operator float() const { return greta_simt::bfloat16_to_float(__x); }
  GRETA_SIMT_INLINE operator __hip_bfloat16_raw() const { return {__x}; }
};

GRETA_SIMT_SMALL_FLOAT_OPERATORS(__hip_bfloat16)
GRETA_SIMT_SMALL_FLOAT_INTRINSICS(__hip_bfloat16)

GRETA_SIMT_INLINE unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) { return a.__x; }
GRETA_SIMT_INLINE short __bfloat16_as_short(__hip_bfloat16 a) { return static_cast<short>(a.__x); }
GRETA_SIMT_INLINE __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __hip_bfloat16_raw{x};
}
GRETA_SIMT_INLINE __hip_bfloat16 __short_as_bfloat16(short x) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(x)};
}
GRETA_SIMT_INLINE float __bfloat162float(__hip_bfloat16 a) { return float(a); }
GRETA_SIMT_INLINE __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
GRETA_SIMT_INLINE __hip_bfloat16 __double2bfloat16(double x) { return __hip_bfloat16(x); }

GRETA_SIMT_SMALL_FLOAT_ROUNDINGS(__hip_bfloat16, __hip_bfloat16_raw, bfloat16)

struct __hip_bfloat162_raw {
  unsigned short x, y;
};

struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  GRETA_SIMT_INLINE explicit __hip_bfloat162(const __hip_bfloat16& both) : x(both), y(both) {}
  GRETA_SIMT_INLINE __hip_bfloat162(const __hip_bfloat162_raw& raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}
  GRETA_SIMT_INLINE operator __hip_bfloat162_raw() const { return {x.__x, y.__x}; }
  GRETA_SIMT_INLINE __hip_bfloat162(const __hip_bfloat16& a, const __hip_bfloat16& b)
      : x(a), y(b) {}
};

GRETA_SIMT_SMALL_PAIR(__hip_bfloat162, __hip_bfloat16)

GRETA_SIMT_INLINE __hip_bfloat162 make_bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) {
  return __hip_bfloat162(x, y);
}
GRETA_SIMT_INLINE __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return __hip_bfloat162(a, b);
}
GRETA_SIMT_INLINE __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) {
  return __hip_bfloat162(a, a);
}
GRETA_SIMT_INLINE __hip_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __hip_bfloat162(__hip_bfloat16(a), __hip_bfloat16(b));
}
GRETA_SIMT_INLINE __hip_bfloat162 __float22bfloat162_rn(float2 a) {
  return __floats2bfloat162_rn(a.x, a.y);
}
GRETA_SIMT_INLINE __hip_bfloat162 __float2bfloat162_rn(float a) {
  return __floats2bfloat162_rn(a, a);
}
GRETA_SIMT_INLINE float2 __bfloat1622float2(__hip_bfloat162 a) {
  return float2(float(a.x), float(a.y));
}
GRETA_SIMT_INLINE __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
GRETA_SIMT_INLINE __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
GRETA_SIMT_INLINE float __low2float(__hip_bfloat162 a) { return float(a.x); }
GRETA_SIMT_INLINE float __high2float(__hip_bfloat162 a) { return float(a.y); }
GRETA_SIMT_INLINE __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) {
  return __hip_bfloat162(a.x, a.x);
}
GRETA_SIMT_INLINE __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) {
  return __hip_bfloat162(a.y, a.y);
}
GRETA_SIMT_INLINE __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hip_bfloat162(a.x, b.x);
}
GRETA_SIMT_INLINE __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return __hip_bfloat162(a.y, b.y);
}
GRETA_SIMT_INLINE __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 a) {
  return __hip_bfloat162(a.y, a.x);
}

#if defined(__HIPCC__)
GRETA_SIMT_INLINE __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return greta_simt::atomic_update(address, [=](__hip_bfloat16 old) { return old + value; });
}
GRETA_SIMT_INLINE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return greta_simt::atomic_update(address, [=](__hip_bfloat162 old) { return old + value; });
}
GRETA_SIMT_INLINE __hip_bfloat16 atomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return unsafeAtomicAdd(address, value);
}
GRETA_SIMT_INLINE __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return unsafeAtomicAdd(address, value);
}
#endif

#endif
