// expf and exp2f that the compiler can vectorize; libm's are calls, one value at a time. The error
// is about one unit in the last place.
#pragma GCC system_header
#ifndef GRETA_SIMT_EXPONENTIAL_H
#define GRETA_SIMT_EXPONENTIAL_H

#include "greta_simt/conversions.h"
#include "greta_simt/standard_math.h"

// Where rounding to a whole number and a fused multiplication are one instruction each.
#if defined(__SSE4_1__) && defined(__FMA__)

namespace greta_simt {

// e^r * 2^n for |r| <= ln(2)/2 and -200 <= n <= 200.
GRETA_SIMT_INLINE float scaled_exponential(float r, int n) {
  float p = 1.9875691500e-4f;
  p = __builtin_fmaf(p, r, 1.3981999507e-3f);
  p = __builtin_fmaf(p, r, 8.3334519073e-3f);
  p = __builtin_fmaf(p, r, 4.1665795894e-2f);
  p = __builtin_fmaf(p, r, 1.6666665459e-1f);
  p = __builtin_fmaf(p, r, 5.0000001201e-1f);
  float power = __builtin_fmaf(p * r, r, r) + 1.0f;
  // In two steps, so that neither factor overflows, and results below the normal range round once.
  int half = n >> 1;
  float first = bit_cast<float>((half + 127) << 23);
  float second = bit_cast<float>((n - half + 127) << 23);
  return power * first * second;
}

// Keeps n in range. Written so that a NaN stays one.
GRETA_SIMT_INLINE float clamp_exponent(float x, float low, float high) {
  x = choose(x < low, low, x);
  return choose(x > high, high, x);
}

}  // namespace greta_simt

extern "C" inline __attribute__((gnu_inline, always_inline)) float expf(float x) noexcept {
  float bounded = greta_simt::clamp_exponent(x, -110.0f, 110.0f);
  float whole = __builtin_rintf(bounded * 1.44269504f);
  float r = __builtin_fmaf(whole, -0.693145752f, bounded);
  r = __builtin_fmaf(whole, -1.42860677e-6f, r);
  return greta_simt::scaled_exponential(r, static_cast<int>(whole));
}

extern "C" inline __attribute__((gnu_inline, always_inline)) float exp2f(float x) noexcept {
  float bounded = greta_simt::clamp_exponent(x, -155.0f, 155.0f);
  float whole = __builtin_rintf(bounded);
  float r = (bounded - whole) * 0.693147181f;
  return greta_simt::scaled_exponential(r, static_cast<int>(whole));
}

#endif
#endif
