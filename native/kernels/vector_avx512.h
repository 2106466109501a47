// Vectors of sixteen floats.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace greta::kernels::avx512 {

struct Vec {
  static constexpr int kLanes = 16;
  __m512 v;
};

inline Vec zero() { return {_mm512_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm512_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm512_loadu_ps(from)}; }
inline Vec load_half(const uint16_t* from) {
  return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)))};
}
inline Vec load_bfloat(const uint16_t* from) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return {_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16))};
}
inline void store(float* to, Vec a) { _mm512_storeu_ps(to, a.v); }
inline void store_half(uint16_t* to, Vec a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline Vec operator+(Vec a, Vec b) { return {_mm512_add_ps(a.v, b.v)}; }
inline Vec operator-(Vec a, Vec b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline Vec operator*(Vec a, Vec b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline Vec operator/(Vec a, Vec b) { return {_mm512_div_ps(a.v, b.v)}; }
inline Vec multiply_add(Vec a, Vec b, Vec c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }

// The second where the two cannot be compared.
inline Vec larger(Vec a, Vec b) { return {_mm512_max_ps(a.v, b.v)}; }
inline Vec smaller(Vec a, Vec b) { return {_mm512_min_ps(a.v, b.v)}; }

inline Vec rounded(Vec a) {
  return {_mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

// a times two to the power of a whole number.
inline Vec scaled_by_power(Vec a, Vec power) { return {_mm512_scalef_ps(a.v, power.v)}; }

// The largest magnitude, by its bits: NaN is above all numbers.
inline float largest_magnitude(const Vec* a, int count) {
  __m512i most = _mm512_setzero_si512();
  for (int i = 0; i < count; ++i) {
    most = _mm512_max_epu32(most, _mm512_castps_si512(_mm512_abs_ps(a[i].v)));
  }
  const __m512i bits = _mm512_set1_epi32(static_cast<int>(_mm512_reduce_max_epu32(most)));
  return _mm512_cvtss_f32(_mm512_castsi512_ps(bits));
}

// Rounds and stores as bytes; returns the sum of what was stored.
inline int store_bytes(int8_t* to, Vec a) {
  const __m512i whole = _mm512_cvtps_epi32(a.v);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(whole));
  return _mm512_reduce_add_epi32(whole);
}

inline Vec rounded_to_half(Vec a) {
  return {_mm512_cvtph_ps(_mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))};
}

inline float sum_of(Vec a) { return _mm512_reduce_add_ps(a.v); }
inline float largest_of(Vec a) { return _mm512_reduce_max_ps(a.v); }

}  // namespace greta::kernels::avx512
