// The exponential function of a vector, to about two units in the last place.
#pragma once

namespace greta::kernels::GRETA_ISA {

// exp(x) = 2^n * exp(r), with n whole and |r| <= ln(2) / 2; exp(r) is the polynomial of Arm's
// optimized routines. llama.cpp uses the same, and where activations are rounded to 8 bits
// afterwards, the last bit decides between neighbours. Beyond the limits the result is zero or
// infinity; a NaN stays a NaN.
inline Vec exponential(Vec x) {
  x = smaller(broadcast(140), larger(broadcast(-140), x));
  const Vec shift = broadcast(0x1.8p23f);  // beyond it there are only whole numbers
  const Vec n = multiply_add(x, broadcast(0x1.715476p+0f), shift) - shift;
  // ln(2) in two parts, the first with few enough bits that its product is exact.
  Vec r = multiply_add(n, broadcast(-0x1.62e4p-1f), x);
  r = multiply_add(n, broadcast(-0x1.7f7d1cp-20f), r);
  const Vec square = r * r;
  const Vec fourth = multiply_add(broadcast(0x1.0e4020p-7f), r, broadcast(0x1.573e2ep-5f));
  const Vec second = multiply_add(broadcast(0x1.555e66p-3f), r, broadcast(0x1.fffdb6p-2f));
  const Vec zeroth = multiply_add(broadcast(0x1.ffffecp-1f), r, broadcast(1.0f));
  return scaled_by_power(multiply_add(multiply_add(fourth, square, second), square, zeroth), n);
}

inline Vec silu(Vec x) { return x / (broadcast(1.0f) + exponential(zero() - x)); }

}  // namespace greta::kernels::GRETA_ISA
