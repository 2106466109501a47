// Conversions with a stated rounding, and bits taken as another type.
//
// _rn to nearest even, _rz toward zero, _ru up, _rd down. The results of float to integer
// conversions are clamped to the integer's range and NaN becomes 0, as on the GPU.
#pragma GCC system_header
#ifndef GRETA_SIMT_CONVERSIONS_H
#define GRETA_SIMT_CONVERSIONS_H

#include "greta_simt/platform.h"

namespace greta_simt {

template <class To, class From>
GRETA_SIMT_INLINE To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

GRETA_SIMT_INLINE float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// condition ? a : b, without a branch: several branches in a row keep the compiler from turning
// the loop over the threads into vector code.
GRETA_SIMT_INLINE uint32_t choose(bool condition, uint32_t a, uint32_t b) {
  uint32_t mask = -static_cast<uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}
GRETA_SIMT_INLINE float choose(bool condition, float a, float b) {
  return bit_cast<float>(choose(condition, bit_cast<uint32_t>(a), bit_cast<uint32_t>(b)));
}

template <class Integer>
struct integer_limits {
  static constexpr bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
  static constexpr Integer max =
      is_signed ? static_cast<Integer>(~(static_cast<Integer>(1) << (sizeof(Integer) * 8 - 1)))
                : static_cast<Integer>(-1);
  static constexpr Integer min = is_signed ? static_cast<Integer>(~max) : 0;
};

template <class Integer, class Float>
GRETA_SIMT_INLINE Integer clamp_to(Float x) {
  using limits = integer_limits<Integer>;
  // 2^n itself is exact in floating point, the largest integer below it need not be.
  const Float above = static_cast<Float>(limits::max / 2 + 1) * 2;
  if (!(x == x)) return 0;
  if (x >= above) return limits::max;
  if (x < static_cast<Float>(limits::min)) return limits::min;
  return static_cast<Integer>(x);
}

// A number's neighbours. The bits of a positive number count up with it, of a negative one down.
template <class Bits, class Float>
GRETA_SIMT_INLINE Float next_up(Float x) {
  constexpr Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
  Bits bits = bit_cast<Bits>(x);
  if (x == 0) return bit_cast<Float>(Bits{1});
  return bit_cast<Float>(bits & sign ? bits - 1 : bits + 1);
}
GRETA_SIMT_INLINE float above(float x) { return next_up<uint32_t>(x); }
GRETA_SIMT_INLINE double above(double x) { return next_up<uint64_t>(x); }

// Whether x, rounded to nearest, has become larger or smaller. A device has no long double.
template <class Float>
GRETA_SIMT_INLINE int compare(Float nearest, double x) {
  const double rounded = nearest;
  return (rounded > x) - (rounded < x);
}
template <class Float, class Integer>
GRETA_SIMT_INLINE int compare(Float nearest, Integer x) {
  const Float beyond = static_cast<Float>(integer_limits<Integer>::max / 2 + 1) * 2;
  if (nearest >= beyond) return 1;
  const Integer rounded = static_cast<Integer>(nearest);
  return (rounded > x) - (rounded < x);
}

template <class Float, class From>
GRETA_SIMT_INLINE Float convert_down(From x) {
  Float nearest = static_cast<Float>(x);
  return compare(nearest, x) > 0 ? -above(-nearest) : nearest;
}
template <class Float, class From>
GRETA_SIMT_INLINE Float convert_up(From x) {
  Float nearest = static_cast<Float>(x);
  return compare(nearest, x) < 0 ? above(nearest) : nearest;
}
template <class Float, class From>
GRETA_SIMT_INLINE Float convert_toward_zero(From x) {
  return x < 0 ? convert_up<Float>(x) : convert_down<Float>(x);
}

}  // namespace greta_simt

#define GRETA_SIMT_TO_INTEGER(FROM, TO, FLOAT, INTEGER, ROUND, FLOOR, CEIL, TRUNC) \
  GRETA_SIMT_INLINE INTEGER __##FROM##2##TO##_rn(FLOAT x) {                        \
    return greta_simt::clamp_to<INTEGER>(ROUND(x));                                \
  }                                                                                \
  GRETA_SIMT_INLINE INTEGER __##FROM##2##TO##_rz(FLOAT x) {                        \
    return greta_simt::clamp_to<INTEGER>(TRUNC(x));                                \
  }                                                                                \
  GRETA_SIMT_INLINE INTEGER __##FROM##2##TO##_ru(FLOAT x) {                        \
    return greta_simt::clamp_to<INTEGER>(CEIL(x));                                 \
  }                                                                                \
  GRETA_SIMT_INLINE INTEGER __##FROM##2##TO##_rd(FLOAT x) {                        \
    return greta_simt::clamp_to<INTEGER>(FLOOR(x));                                \
  }
#define GRETA_SIMT_FLOAT_TO(TO, INTEGER)                                              \
  GRETA_SIMT_TO_INTEGER(float, TO, float, INTEGER, __builtin_rintf, __builtin_floorf, \
                        __builtin_ceilf, __builtin_truncf)
#define GRETA_SIMT_DOUBLE_TO(TO, INTEGER)                                             \
  GRETA_SIMT_TO_INTEGER(double, TO, double, INTEGER, __builtin_rint, __builtin_floor, \
                        __builtin_ceil, __builtin_trunc)
GRETA_SIMT_FLOAT_TO(int, int)
GRETA_SIMT_FLOAT_TO(uint, unsigned)
GRETA_SIMT_FLOAT_TO(ll, long long)
GRETA_SIMT_FLOAT_TO(ull, unsigned long long)
GRETA_SIMT_DOUBLE_TO(int, int)
GRETA_SIMT_DOUBLE_TO(uint, unsigned)
GRETA_SIMT_DOUBLE_TO(ll, long long)
GRETA_SIMT_DOUBLE_TO(ull, unsigned long long)
#undef GRETA_SIMT_DOUBLE_TO
#undef GRETA_SIMT_FLOAT_TO
#undef GRETA_SIMT_TO_INTEGER

#define GRETA_SIMT_TO_FLOAT(FROM, TO, SOURCE, FLOAT)                                       \
  GRETA_SIMT_INLINE FLOAT __##FROM##2##TO##_rn(SOURCE x) { return static_cast<FLOAT>(x); } \
  GRETA_SIMT_INLINE FLOAT __##FROM##2##TO##_rz(SOURCE x) {                                 \
    return greta_simt::convert_toward_zero<FLOAT>(x);                                      \
  }                                                                                        \
  GRETA_SIMT_INLINE FLOAT __##FROM##2##TO##_ru(SOURCE x) {                                 \
    return greta_simt::convert_up<FLOAT>(x);                                               \
  }                                                                                        \
  GRETA_SIMT_INLINE FLOAT __##FROM##2##TO##_rd(SOURCE x) {                                 \
    return greta_simt::convert_down<FLOAT>(x);                                             \
  }
GRETA_SIMT_TO_FLOAT(int, float, int, float)
GRETA_SIMT_TO_FLOAT(uint, float, unsigned, float)
GRETA_SIMT_TO_FLOAT(ll, float, long long, float)
GRETA_SIMT_TO_FLOAT(ull, float, unsigned long long, float)
GRETA_SIMT_TO_FLOAT(double, float, double, float)
GRETA_SIMT_TO_FLOAT(ll, double, long long, double)
GRETA_SIMT_TO_FLOAT(ull, double, unsigned long long, double)
#undef GRETA_SIMT_TO_FLOAT
GRETA_SIMT_INLINE double __int2double_rn(int x) { return x; }
GRETA_SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }

GRETA_SIMT_INLINE int __float_as_int(float x) { return greta_simt::bit_cast<int>(x); }
GRETA_SIMT_INLINE unsigned __float_as_uint(float x) { return greta_simt::bit_cast<unsigned>(x); }
GRETA_SIMT_INLINE float __int_as_float(int x) { return greta_simt::bit_cast<float>(x); }
GRETA_SIMT_INLINE float __uint_as_float(unsigned x) { return greta_simt::bit_cast<float>(x); }
GRETA_SIMT_INLINE long long __double_as_longlong(double x) {
  return greta_simt::bit_cast<long long>(x);
}
GRETA_SIMT_INLINE double __longlong_as_double(long long x) {
  return greta_simt::bit_cast<double>(x);
}
GRETA_SIMT_INLINE int __double2hiint(double x) {
  return static_cast<int>(greta_simt::bit_cast<unsigned long long>(x) >> 32);
}
GRETA_SIMT_INLINE int __double2loint(double x) {
  return static_cast<int>(greta_simt::bit_cast<unsigned long long>(x));
}
GRETA_SIMT_INLINE double __hiloint2double(int high, int low) {
  return greta_simt::bit_cast<double>(static_cast<unsigned long long>(high) << 32 |
                                      static_cast<unsigned>(low));
}

#endif
