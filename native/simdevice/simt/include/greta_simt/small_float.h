// 16-bit floating point: conversions of half and bfloat16, and what both types have in common.
//
// Written in integer arithmetic without branches, which the compiler vectorizes; it does not do so
// with the CPU's own conversion instructions, which are no faster one at a time.
#pragma GCC system_header
#ifndef GRETA_SIMT_SMALL_FLOAT_H
#define GRETA_SIMT_SMALL_FLOAT_H

#include "greta_simt/conversions.h"
#include "greta_simt/device_math.h"

namespace greta_simt {

#if defined(GRETA_GPU_MACHINE)
// A GPU has instructions for these.
GRETA_SIMT_INLINE float half_to_float(uint16_t bits) {
  return static_cast<float>(bit_cast<_Float16>(bits));
}
GRETA_SIMT_INLINE uint16_t float_to_half(float x) {
  return bit_cast<uint16_t>(static_cast<_Float16>(x));
}
#else
GRETA_SIMT_INLINE float half_to_float(uint16_t bits) {
  // The exponent is moved into place as it stands; a multiplication then sets its bias right, and
  // normalizes subnormal numbers on the way.
  uint32_t moved = static_cast<uint32_t>(bits & 0x7fff) << 13;
  uint32_t value = bit_cast<uint32_t>(bit_cast<float>(moved) * 0x1p112f);
  value |= choose((bits & 0x7c00) == 0x7c00, 0x7f800000u, 0u);  // infinity and NaN
  return bit_cast<float>(value | static_cast<uint32_t>(bits & 0x8000) << 16);
}

// Round to nearest even.
GRETA_SIMT_INLINE uint16_t float_to_half(float x) {
  constexpr uint32_t smallest_normal = 113u << 23;
  constexpr uint32_t beyond_largest = 143u << 23;
  uint32_t bits = bit_cast<uint32_t>(x);
  uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // Adding 0.5 shifts a subnormal result's digits to the end of the float, rounding them.
  uint32_t subnormal = bit_cast<uint32_t>(bit_cast<float>(magnitude) + 0.5f) - (126u << 23);
  uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ff);
  uint32_t special = choose(magnitude > 0x7f800000u, nan, 0x7c00u);
  uint32_t finite = choose(magnitude < smallest_normal, subnormal, normal);
  uint32_t result = choose(magnitude >= beyond_largest, special, finite);
  return static_cast<uint16_t>(result | (bits >> 16 & 0x8000));
}
#endif

GRETA_SIMT_INLINE float bfloat16_to_float(uint16_t bits) {
  return bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Round to nearest even.
GRETA_SIMT_INLINE uint16_t float_to_bfloat16(float x) {
  uint32_t bits = bit_cast<uint32_t>(x);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint32_t quiet = bits >> 16 | 0x40;
  return static_cast<uint16_t>(choose((bits & 0x7fffffffu) > 0x7f800000u, quiet, rounded));
}

// To the neighbouring float whose last digit is odd, unless exact. Rounding that again, to fewer
// digits, gives the same as rounding the number once.
template <class From>
GRETA_SIMT_INLINE float round_to_odd(From x) {
  const float nearest = static_cast<float>(x);
  const int went = x == x ? compare(nearest, x) : 0;
  const uint32_t bits = bit_cast<uint32_t>(nearest);
  const bool away = (went > 0) == (nearest > 0);
  return bit_cast<float>(went == 0 ? bits : (bits - away) | 1);
}

// A 16-bit format's neighbours, for the directed roundings. `bits` is a finite number or zero.
GRETA_SIMT_INLINE uint16_t next_up(uint16_t bits) {
  if ((bits & 0x7fff) == 0) return 1;
  return static_cast<uint16_t>(bits & 0x8000 ? bits - 1 : bits + 1);
}
GRETA_SIMT_INLINE uint16_t next_down(uint16_t bits) {
  if ((bits & 0x7fff) == 0) return 0x8001;
  return static_cast<uint16_t>(bits & 0x8000 ? bits + 1 : bits - 1);
}

}  // namespace greta_simt

// Operators of a 16-bit type: computed as float, rounded once.
#define GRETA_SIMT_SMALL_FLOAT_OPERATORS(T)                                    \
  GRETA_SIMT_INLINE T operator+(T a, T b) { return T(float(a) + float(b)); }   \
  GRETA_SIMT_INLINE T operator-(T a, T b) { return T(float(a) - float(b)); }   \
  GRETA_SIMT_INLINE T operator*(T a, T b) { return T(float(a) * float(b)); }   \
  GRETA_SIMT_INLINE T operator/(T a, T b) { return T(float(a) / float(b)); }   \
  GRETA_SIMT_INLINE T operator+(T a) { return a; }                             \
  GRETA_SIMT_INLINE T operator-(T a) { return T(-float(a)); }                  \
  GRETA_SIMT_INLINE bool operator==(T a, T b) { return float(a) == float(b); } \
  GRETA_SIMT_INLINE bool operator!=(T a, T b) { return float(a) != float(b); } \
  GRETA_SIMT_INLINE bool operator<(T a, T b) { return float(a) < float(b); }   \
  GRETA_SIMT_INLINE bool operator>(T a, T b) { return float(a) > float(b); }   \
  GRETA_SIMT_INLINE bool operator<=(T a, T b) { return float(a) <= float(b); } \
  GRETA_SIMT_INLINE bool operator>=(T a, T b) { return float(a) >= float(b); } \
  GRETA_SIMT_INLINE T& operator+=(T& a, T b) { return a = a + b; }             \
  GRETA_SIMT_INLINE T& operator-=(T& a, T b) { return a = a - b; }             \
  GRETA_SIMT_INLINE T& operator*=(T& a, T b) { return a = a * b; }             \
  GRETA_SIMT_INLINE T& operator/=(T& a, T b) { return a = a / b; }             \
  GRETA_SIMT_INLINE T& operator++(T& a) { return a = a + T(1.0f); }            \
  GRETA_SIMT_INLINE T& operator--(T& a) { return a = a - T(1.0f); }            \
  GRETA_SIMT_INLINE T operator++(T& a, int) {                                  \
    T before = a;                                                              \
    ++a;                                                                       \
    return before;                                                             \
  }                                                                            \
  GRETA_SIMT_INLINE T operator--(T& a, int) {                                  \
    T before = a;                                                              \
    --a;                                                                       \
    return before;                                                             \
  }

// The intrinsics that HIP names alike for half and bfloat16.
#define GRETA_SIMT_SMALL_FLOAT_INTRINSICS(T)                                                    \
  GRETA_SIMT_INLINE T __hadd(T a, T b) { return a + b; }                                        \
  GRETA_SIMT_INLINE T __hadd_rn(T a, T b) { return a + b; }                                     \
  GRETA_SIMT_INLINE T __hsub(T a, T b) { return a - b; }                                        \
  GRETA_SIMT_INLINE T __hsub_rn(T a, T b) { return a - b; }                                     \
  GRETA_SIMT_INLINE T __hmul(T a, T b) { return a * b; }                                        \
  GRETA_SIMT_INLINE T __hmul_rn(T a, T b) { return a * b; }                                     \
  GRETA_SIMT_INLINE T __hdiv(T a, T b) { return a / b; }                                        \
  GRETA_SIMT_INLINE T __hneg(T a) { return -a; }                                                \
  GRETA_SIMT_INLINE T __habs(T a) { return T(__builtin_fabsf(float(a))); }                      \
  GRETA_SIMT_INLINE T __hfma(T a, T b, T c) {                                                   \
    return T(greta_simt::round_to_odd(                                                          \
        __builtin_fma(double(float(a)), double(float(b)), double(float(c)))));                  \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hadd_sat(T a, T b) {                                                    \
    return T(greta_simt::saturate(float(a) + float(b)));                                        \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hsub_sat(T a, T b) {                                                    \
    return T(greta_simt::saturate(float(a) - float(b)));                                        \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hmul_sat(T a, T b) {                                                    \
    return T(greta_simt::saturate(float(a) * float(b)));                                        \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hfma_sat(T a, T b, T c) {                                               \
    return T(greta_simt::saturate(float(__hfma(a, b, c))));                                     \
  }                                                                                             \
  GRETA_SIMT_INLINE bool __hisnan(T a) { return __builtin_isnan(float(a)); }                    \
  GRETA_SIMT_INLINE T __hmin(T a, T b) {                                                        \
    return __hisnan(a) ? b : __hisnan(b) ? a : T(fminf(float(a), float(b)));                    \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hmax(T a, T b) {                                                        \
    return __hisnan(a) ? b : __hisnan(b) ? a : T(fmaxf(float(a), float(b)));                    \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hmin_nan(T a, T b) {                                                    \
    return __hisnan(a) || __hisnan(b) ? T(__builtin_nanf("")) : __hmin(a, b);                   \
  }                                                                                             \
  GRETA_SIMT_INLINE T __hmax_nan(T a, T b) {                                                    \
    return __hisnan(a) || __hisnan(b) ? T(__builtin_nanf("")) : __hmax(a, b);                   \
  }                                                                                             \
  GRETA_SIMT_INLINE bool __heq(T a, T b) { return a == b; }                                     \
  GRETA_SIMT_INLINE bool __hne(T a, T b) { return float(a) < float(b) || float(b) < float(a); } \
  GRETA_SIMT_INLINE bool __hlt(T a, T b) { return a < b; }                                      \
  GRETA_SIMT_INLINE bool __hle(T a, T b) { return a <= b; }                                     \
  GRETA_SIMT_INLINE bool __hgt(T a, T b) { return a > b; }                                      \
  GRETA_SIMT_INLINE bool __hge(T a, T b) { return a >= b; }                                     \
  GRETA_SIMT_INLINE bool __hequ(T a, T b) { return !__hne(a, b); }                              \
  GRETA_SIMT_INLINE bool __hneu(T a, T b) { return a != b; }                                    \
  GRETA_SIMT_INLINE bool __hltu(T a, T b) { return !(a >= b); }                                 \
  GRETA_SIMT_INLINE bool __hleu(T a, T b) { return !(a > b); }                                  \
  GRETA_SIMT_INLINE bool __hgtu(T a, T b) { return !(a <= b); }                                 \
  GRETA_SIMT_INLINE bool __hgeu(T a, T b) { return !(a < b); }                                  \
  GRETA_SIMT_INLINE int __hisinf(T a) { return __builtin_isinf_sign(float(a)); }                \
  GRETA_SIMT_INLINE T hsqrt(T a) { return T(__builtin_sqrtf(float(a))); }                       \
  GRETA_SIMT_INLINE T hrsqrt(T a) { return T(1.0f / __builtin_sqrtf(float(a))); }               \
  GRETA_SIMT_INLINE T hrcp(T a) { return T(1.0f / float(a)); }                                  \
  GRETA_SIMT_INLINE T hexp(T a) { return T(expf(float(a))); }                                   \
  GRETA_SIMT_INLINE T hexp2(T a) { return T(exp2f(float(a))); }                                 \
  GRETA_SIMT_INLINE T hexp10(T a) { return T(powf(10.0f, float(a))); }                          \
  GRETA_SIMT_INLINE T hlog(T a) { return T(logf(float(a))); }                                   \
  GRETA_SIMT_INLINE T hlog2(T a) { return T(log2f(float(a))); }                                 \
  GRETA_SIMT_INLINE T hlog10(T a) { return T(log10f(float(a))); }                               \
  GRETA_SIMT_INLINE T hsin(T a) { return T(sinf(float(a))); }                                   \
  GRETA_SIMT_INLINE T hcos(T a) { return T(cosf(float(a))); }                                   \
  GRETA_SIMT_INLINE T htanh(T a) { return T(tanhf(float(a))); }                                 \
  GRETA_SIMT_INLINE T hfloor(T a) { return T(__builtin_floorf(float(a))); }                     \
  GRETA_SIMT_INLINE T hceil(T a) { return T(__builtin_ceilf(float(a))); }                       \
  GRETA_SIMT_INLINE T htrunc(T a) { return T(__builtin_truncf(float(a))); }                     \
  GRETA_SIMT_INLINE T hrint(T a) { return T(__builtin_rintf(float(a))); }

// The conversions that step back from the nearest where that went too far. Beyond the largest
// number, "toward zero" and the like end at that number and not at infinity, as IEEE 754 has it.
#define GRETA_SIMT_SMALL_FLOAT_ROUNDINGS(T, RAW, NAME)                                \
  GRETA_SIMT_INLINE T __float2##NAME##_rn(float x) { return T(x); }                   \
  GRETA_SIMT_INLINE T __float2##NAME##_rd(float x) {                                  \
    T nearest(x);                                                                     \
    return float(nearest) > x ? T(RAW{greta_simt::next_down(nearest.__x)}) : nearest; \
  }                                                                                   \
  GRETA_SIMT_INLINE T __float2##NAME##_ru(float x) {                                  \
    T nearest(x);                                                                     \
    return float(nearest) < x ? T(RAW{greta_simt::next_up(nearest.__x)}) : nearest;   \
  }                                                                                   \
  GRETA_SIMT_INLINE T __float2##NAME##_rz(float x) {                                  \
    return x < 0 ? __float2##NAME##_ru(x) : __float2##NAME##_rd(x);                   \
  }                                                                                   \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, int, int)                               \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, uint, unsigned)                         \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, short, short)                           \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, ushort, unsigned short)                 \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, ll, long long)                          \
  GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, ull, unsigned long long)                \
  GRETA_SIMT_INLINE signed char __##NAME##2char_rz(T a) {                             \
    return greta_simt::clamp_to<signed char>(__builtin_truncf(float(a)));             \
  }                                                                                   \
  GRETA_SIMT_INLINE unsigned char __##NAME##2uchar_rz(T a) {                          \
    return greta_simt::clamp_to<unsigned char>(__builtin_truncf(float(a)));           \
  }
#define GRETA_SIMT_SMALL_FLOAT_AND_INTEGER(T, NAME, FROM, INTEGER)                                 \
  GRETA_SIMT_INLINE T __##FROM##2##NAME##_rn(INTEGER x) { return T(greta_simt::round_to_odd(x)); } \
  GRETA_SIMT_INLINE T __##FROM##2##NAME##_rd(INTEGER x) {                                          \
    return __float2##NAME##_rd(greta_simt::convert_down<float>(x));                                \
  }                                                                                                \
  GRETA_SIMT_INLINE T __##FROM##2##NAME##_ru(INTEGER x) {                                          \
    return __float2##NAME##_ru(greta_simt::convert_up<float>(x));                                  \
  }                                                                                                \
  GRETA_SIMT_INLINE T __##FROM##2##NAME##_rz(INTEGER x) {                                          \
    return __float2##NAME##_rz(greta_simt::convert_toward_zero<float>(x));                         \
  }                                                                                                \
  GRETA_SIMT_INLINE INTEGER __##NAME##2##FROM##_rn(T a) {                                          \
    return greta_simt::clamp_to<INTEGER>(__builtin_rintf(float(a)));                               \
  }                                                                                                \
  GRETA_SIMT_INLINE INTEGER __##NAME##2##FROM##_rz(T a) {                                          \
    return greta_simt::clamp_to<INTEGER>(__builtin_truncf(float(a)));                              \
  }                                                                                                \
  GRETA_SIMT_INLINE INTEGER __##NAME##2##FROM##_rd(T a) {                                          \
    return greta_simt::clamp_to<INTEGER>(__builtin_floorf(float(a)));                              \
  }                                                                                                \
  GRETA_SIMT_INLINE INTEGER __##NAME##2##FROM##_ru(T a) {                                          \
    return greta_simt::clamp_to<INTEGER>(__builtin_ceilf(float(a)));                               \
  }

// The same for pairs, component by component.
#define GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, NAME, ONE) \
  GRETA_SIMT_INLINE PAIR NAME(PAIR a) { return PAIR(ONE(a.x), ONE(a.y)); }
#define GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, NAME, ONE) \
  GRETA_SIMT_INLINE PAIR NAME(PAIR a, PAIR b) { return PAIR(ONE(a.x, b.x), ONE(a.y, b.y)); }
#define GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, SUFFIX)                                        \
  GRETA_SIMT_INLINE PAIR __h##SUFFIX##2(PAIR a, PAIR b) {                                        \
    return PAIR(T(__h##SUFFIX(a.x, b.x) ? 1.0f : 0.0f), T(__h##SUFFIX(a.y, b.y) ? 1.0f : 0.0f)); \
  }                                                                                              \
  GRETA_SIMT_INLINE bool __hb##SUFFIX##2(PAIR a, PAIR b) {                                       \
    return __h##SUFFIX(a.x, b.x) && __h##SUFFIX(a.y, b.y);                                       \
  }
#define GRETA_SIMT_SMALL_PAIR(PAIR, T)                                                    \
  GRETA_SIMT_INLINE PAIR operator+(PAIR a, PAIR b) { return PAIR(a.x + b.x, a.y + b.y); } \
  GRETA_SIMT_INLINE PAIR operator-(PAIR a, PAIR b) { return PAIR(a.x - b.x, a.y - b.y); } \
  GRETA_SIMT_INLINE PAIR operator*(PAIR a, PAIR b) { return PAIR(a.x * b.x, a.y * b.y); } \
  GRETA_SIMT_INLINE PAIR operator/(PAIR a, PAIR b) { return PAIR(a.x / b.x, a.y / b.y); } \
  GRETA_SIMT_INLINE PAIR operator-(PAIR a) { return PAIR(-a.x, -a.y); }                   \
  GRETA_SIMT_INLINE PAIR& operator+=(PAIR& a, PAIR b) { return a = a + b; }               \
  GRETA_SIMT_INLINE PAIR& operator-=(PAIR& a, PAIR b) { return a = a - b; }               \
  GRETA_SIMT_INLINE PAIR& operator*=(PAIR& a, PAIR b) { return a = a * b; }               \
  GRETA_SIMT_INLINE PAIR& operator/=(PAIR& a, PAIR b) { return a = a / b; }               \
  GRETA_SIMT_INLINE bool operator==(PAIR a, PAIR b) { return a.x == b.x && a.y == b.y; }  \
  GRETA_SIMT_INLINE bool operator!=(PAIR a, PAIR b) { return !(a == b); }                 \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hadd2, __hadd)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hadd2_rn, __hadd)                                  \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hsub2, __hsub)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmul2, __hmul)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __h2div, __hdiv)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hadd2_sat, __hadd_sat)                             \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hsub2_sat, __hsub_sat)                             \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmul2_sat, __hmul_sat)                             \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmin2, __hmin)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmax2, __hmax)                                     \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmin2_nan, __hmin_nan)                             \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmax2_nan, __hmax_nan)                             \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hsub2_rn, __hsub)                                  \
  GRETA_SIMT_SMALL_PAIR_BINARY(PAIR, __hmul2_rn, __hmul)                                  \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2tanh, htanh)                                        \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, __hneg2, __hneg)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, __habs2, __habs)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2sqrt, hsqrt)                                        \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2rsqrt, hrsqrt)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2rcp, hrcp)                                          \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2exp, hexp)                                          \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2exp2, hexp2)                                        \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2exp10, hexp10)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2log, hlog)                                          \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2log2, hlog2)                                        \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2log10, hlog10)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2sin, hsin)                                          \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2cos, hcos)                                          \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2floor, hfloor)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2ceil, hceil)                                        \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2trunc, htrunc)                                      \
  GRETA_SIMT_SMALL_PAIR_UNARY(PAIR, h2rint, hrint)                                        \
  GRETA_SIMT_INLINE PAIR __hfma2(PAIR a, PAIR b, PAIR c) {                                \
    return PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                            \
  }                                                                                       \
  GRETA_SIMT_INLINE PAIR __hfma2_sat(PAIR a, PAIR b, PAIR c) {                            \
    return PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                    \
  }                                                                                       \
  GRETA_SIMT_INLINE PAIR __hisinf2(PAIR a) {                                              \
    return PAIR(T(__hisinf(a.x) ? 1.0f : 0.0f), T(__hisinf(a.y) ? 1.0f : 0.0f));          \
  }                                                                                       \
  GRETA_SIMT_INLINE PAIR __hisnan2(PAIR a) {                                              \
    return PAIR(T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));          \
  }                                                                                       \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, eq)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, ne)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, lt)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, le)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, gt)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, ge)                                           \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, equ)                                          \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, neu)                                          \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, ltu)                                          \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, leu)                                          \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, gtu)                                          \
  GRETA_SIMT_SMALL_PAIR_COMPARISON(PAIR, T, geu)

#endif
