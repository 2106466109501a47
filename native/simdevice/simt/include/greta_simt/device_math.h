// Mathematical functions of device code, beyond those of <math.h>.
#pragma GCC system_header
#ifndef GRETA_SIMT_DEVICE_MATH_H
#define GRETA_SIMT_DEVICE_MATH_H

#include "greta_simt/conversions.h"
#include "greta_simt/exponential.h"
#include "greta_simt/platform.h"
#include "greta_simt/standard_math.h"
#include "greta_simt/vector_types.h"

namespace greta_simt {

template <class A, class B>
using if_numbers = if_scalar<A, if_scalar<B, decltype(A() + B())>>;

// As fmin and fmax: a NaN loses. Written so that it vectorizes.
template <class T>
GRETA_SIMT_INLINE constexpr T smaller(T a, T b) {
  return (a < b) | (b != b) ? a : b;
}
template <class T>
GRETA_SIMT_INLINE constexpr T larger(T a, T b) {
  return (a > b) | (b != b) ? a : b;
}

constexpr double pi = 3.14159265358979323846;

}  // namespace greta_simt

// HIP has overloads for all pairs of arithmetic types.
template <class A, class B>
GRETA_SIMT_INLINE constexpr greta_simt::if_numbers<A, B> min(A a, B b) {
  using T = greta_simt::if_numbers<A, B>;
  return greta_simt::smaller<T>(static_cast<T>(a), static_cast<T>(b));
}
template <class A, class B>
GRETA_SIMT_INLINE constexpr greta_simt::if_numbers<A, B> max(A a, B b) {
  using T = greta_simt::if_numbers<A, B>;
  return greta_simt::larger<T>(static_cast<T>(a), static_cast<T>(b));
}

// glibc's versions are calls, which would keep the loop over the threads from vectorizing.
#define GRETA_SIMT_REPLACES extern "C" inline __attribute__((gnu_inline, always_inline))
GRETA_SIMT_REPLACES float fminf(float a, float b) noexcept { return greta_simt::smaller(a, b); }
GRETA_SIMT_REPLACES float fmaxf(float a, float b) noexcept { return greta_simt::larger(a, b); }
GRETA_SIMT_REPLACES double fmin(double a, double b) noexcept { return greta_simt::smaller(a, b); }
GRETA_SIMT_REPLACES double fmax(double a, double b) noexcept { return greta_simt::larger(a, b); }
#undef GRETA_SIMT_REPLACES

GRETA_SIMT_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
GRETA_SIMT_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
GRETA_SIMT_INLINE float rsqrt(float x) { return rsqrtf(x); }
GRETA_SIMT_INLINE float rcbrtf(float x) { return 1.0f / __builtin_cbrtf(x); }
GRETA_SIMT_INLINE double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
GRETA_SIMT_INLINE float rhypotf(float x, float y) { return 1.0f / __builtin_hypotf(x, y); }
GRETA_SIMT_INLINE double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
GRETA_SIMT_INLINE float norm3df(float x, float y, float z) {
  return __builtin_sqrtf(x * x + y * y + z * z);
}
GRETA_SIMT_INLINE float norm4df(float x, float y, float z, float w) {
  return __builtin_sqrtf(x * x + y * y + z * z + w * w);
}
GRETA_SIMT_INLINE double norm3d(double x, double y, double z) {
  return __builtin_sqrt(x * x + y * y + z * z);
}
GRETA_SIMT_INLINE double norm4d(double x, double y, double z, double w) {
  return __builtin_sqrt(x * x + y * y + z * z + w * w);
}
GRETA_SIMT_INLINE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
GRETA_SIMT_INLINE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
GRETA_SIMT_INLINE float fdividef(float x, float y) { return x / y; }

// Reduced before the multiplication by pi, so that whole turns cost no accuracy.
GRETA_SIMT_INLINE double sinpi(double x) {
  double turn = x - 2.0 * __builtin_rint(x * 0.5);
  return __builtin_sin(greta_simt::pi * turn);
}
GRETA_SIMT_INLINE double cospi(double x) {
  double turn = x - 2.0 * __builtin_rint(x * 0.5);
  return __builtin_cos(greta_simt::pi * turn);
}
GRETA_SIMT_INLINE float sinpif(float x) { return static_cast<float>(sinpi(x)); }
GRETA_SIMT_INLINE float cospif(float x) { return static_cast<float>(cospi(x)); }
GRETA_SIMT_INLINE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
GRETA_SIMT_INLINE void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
GRETA_SIMT_INLINE float normcdff(float x) {
  return static_cast<float>(0.5 * __builtin_erfc(-x * 0.70710678118654752440));
}
GRETA_SIMT_INLINE double normcdf(double x) {
  return 0.5 * __builtin_erfc(-x * 0.70710678118654752440);
}
GRETA_SIMT_INLINE float erfcxf(float x) {
  return static_cast<float>(__builtin_exp(static_cast<double>(x) * x) * __builtin_erfc(x));
}
GRETA_SIMT_INLINE double erfcx(double x) { return __builtin_exp(x * x) * __builtin_erfc(x); }

GRETA_SIMT_INLINE double erfcinv(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : 0.0 / 0.0;
  // A rational estimate, then Halley's method: two steps reach the precision of a double.
  double near = y < 1 ? y : 2 - y;
  double t = __builtin_sqrt(-2 * __builtin_log(near / 2));
  double x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int step = 0; step < 2; ++step) {
    double error = __builtin_erfc(x) - near;
    x += error / (1.12837916709551257390 * __builtin_exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
GRETA_SIMT_INLINE double erfinv(double y) { return erfcinv(1 - y); }
GRETA_SIMT_INLINE double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
GRETA_SIMT_INLINE float erfcinvf(float y) { return static_cast<float>(erfcinv(y)); }
GRETA_SIMT_INLINE float erfinvf(float y) { return static_cast<float>(erfinv(y)); }
GRETA_SIMT_INLINE float normcdfinvf(float p) { return static_cast<float>(normcdfinv(p)); }
GRETA_SIMT_INLINE float rnorm4df(float x, float y, float z, float w) {
  return 1.0f / norm4df(x, y, z, w);
}
GRETA_SIMT_INLINE double rnorm4d(double x, double y, double z, double w) {
  return 1.0 / norm4d(x, y, z, w);
}
GRETA_SIMT_INLINE float normf(int dimensions, const float* x) {
  float squares = 0;
  for (int i = 0; i < dimensions; ++i) squares += x[i] * x[i];
  return __builtin_sqrtf(squares);
}
GRETA_SIMT_INLINE double norm(int dimensions, const double* x) {
  double squares = 0;
  for (int i = 0; i < dimensions; ++i) squares += x[i] * x[i];
  return __builtin_sqrt(squares);
}
GRETA_SIMT_INLINE float rnormf(int dimensions, const float* x) {
  return 1.0f / normf(dimensions, x);
}
GRETA_SIMT_INLINE double rnorm(int dimensions, const double* x) {
  return 1.0 / norm(dimensions, x);
}
GRETA_SIMT_INLINE float powif(float x, int y) { return __builtin_powif(x, y); }
GRETA_SIMT_INLINE double powi(double x, int y) { return __builtin_powi(x, y); }

GRETA_SIMT_INLINE float __saturatef(float x) { return greta_simt::saturate(x); }
GRETA_SIMT_INLINE float saturatef(float x) { return __saturatef(x); }

GRETA_SIMT_INLINE float __sinf(float x) { return __builtin_sinf(x); }
GRETA_SIMT_INLINE float __cosf(float x) { return __builtin_cosf(x); }
GRETA_SIMT_INLINE float __tanf(float x) { return __builtin_tanf(x); }
GRETA_SIMT_INLINE void __sincosf(float x, float* s, float* c) {
  *s = __builtin_sinf(x);
  *c = __builtin_cosf(x);
}
GRETA_SIMT_INLINE float __expf(float x) { return expf(x); }
GRETA_SIMT_INLINE float __exp2f(float x) { return exp2f(x); }
GRETA_SIMT_INLINE float __exp10f(float x) { return exp2f(x * 3.3219280948873623f); }
GRETA_SIMT_INLINE float __logf(float x) { return __builtin_logf(x); }
GRETA_SIMT_INLINE float __log2f(float x) { return __builtin_log2f(x); }
GRETA_SIMT_INLINE float __log10f(float x) { return __builtin_log10f(x); }
GRETA_SIMT_INLINE float __powf(float x, float y) { return __builtin_powf(x, y); }
GRETA_SIMT_INLINE float __fdividef(float x, float y) { return x / y; }
GRETA_SIMT_INLINE float __tanhf(float x) { return __builtin_tanhf(x); }

#define GRETA_SIMT_ROUND_NEAREST(SUFFIX, T, ADD, SUB, MUL, DIV, RCP, SQRT, FMA, ROOT, FUSED) \
  GRETA_SIMT_INLINE T ADD(T x, T y) { return x + y; }                                        \
  GRETA_SIMT_INLINE T SUB(T x, T y) { return x - y; }                                        \
  GRETA_SIMT_INLINE T MUL(T x, T y) { return x * y; }                                        \
  GRETA_SIMT_INLINE T DIV(T x, T y) { return x / y; }                                        \
  GRETA_SIMT_INLINE T RCP(T x) { return 1 / x; }                                             \
  GRETA_SIMT_INLINE T SQRT(T x) { return ROOT(x); }                                          \
  GRETA_SIMT_INLINE T FMA(T x, T y, T z) { return FUSED(x, y, z); }
GRETA_SIMT_ROUND_NEAREST(f, float, __fadd_rn, __fsub_rn, __fmul_rn, __fdiv_rn, __frcp_rn,
                         __fsqrt_rn, __fmaf_rn, __builtin_sqrtf, __builtin_fmaf)
GRETA_SIMT_ROUND_NEAREST(, double, __dadd_rn, __dsub_rn, __dmul_rn, __ddiv_rn, __drcp_rn,
                         __dsqrt_rn, __fma_rn, __builtin_sqrt, __builtin_fma)
#undef GRETA_SIMT_ROUND_NEAREST
GRETA_SIMT_INLINE float __frsqrt_rn(float x) { return 1.0f / __builtin_sqrtf(x); }

#endif
