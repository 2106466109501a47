// Vectors of eight floats.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace greta::kernels::avx2 {

struct Vec {
  static constexpr int kLanes = 8;
  __m256 v;
};

inline Vec zero() { return {_mm256_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm256_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm256_loadu_ps(from)}; }
inline Vec load_half(const uint16_t* from) {
  return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)))};
}
inline Vec load_bfloat(const uint16_t* from) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16))};
}
inline void store(float* to, Vec a) { _mm256_storeu_ps(to, a.v); }
inline void store_half(uint16_t* to, Vec a) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline Vec operator+(Vec a, Vec b) { return {_mm256_add_ps(a.v, b.v)}; }
inline Vec operator-(Vec a, Vec b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline Vec operator*(Vec a, Vec b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline Vec operator/(Vec a, Vec b) { return {_mm256_div_ps(a.v, b.v)}; }
inline Vec multiply_add(Vec a, Vec b, Vec c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }

// The second where the two cannot be compared.
inline Vec larger(Vec a, Vec b) { return {_mm256_max_ps(a.v, b.v)}; }
inline Vec smaller(Vec a, Vec b) { return {_mm256_min_ps(a.v, b.v)}; }

inline Vec rounded(Vec a) {
  return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

inline Vec power_of_two(__m256i exponent) {
  const __m256i biased = _mm256_add_epi32(exponent, _mm256_set1_epi32(127));
  return {_mm256_castsi256_ps(_mm256_slli_epi32(biased, 23))};
}

// a times two to the power of a whole number up to 250; in two steps, as the power alone may be too
// large for a float.
inline Vec scaled_by_power(Vec a, Vec power) {
  const __m256i exponent = _mm256_cvtps_epi32(power.v);
  const __m256i half = _mm256_srai_epi32(exponent, 1);
  return a * power_of_two(half) * power_of_two(_mm256_sub_epi32(exponent, half));
}

inline int sum_of_ints(__m256i a) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
  return _mm_cvtsi128_si32(sum);
}

// The largest magnitude, by its bits: NaN is above all numbers.
inline float largest_magnitude(const Vec* a, int count) {
  const __m256i magnitude = _mm256_set1_epi32(0x7fffffff);
  __m256i most = _mm256_setzero_si256();
  for (int i = 0; i < count; ++i) {
    most = _mm256_max_epu32(most, _mm256_and_si256(_mm256_castps_si256(a[i].v), magnitude));
  }
  __m128i half = _mm_max_epu32(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
  half = _mm_max_epu32(half, _mm_shuffle_epi32(half, 0x4e));
  half = _mm_max_epu32(half, _mm_shuffle_epi32(half, 0xb1));
  return _mm_cvtss_f32(_mm_castsi128_ps(half));
}

// Rounds and stores as bytes; returns the sum of what was stored.
inline int store_bytes(int8_t* to, Vec a) {
  const __m256i whole = _mm256_cvtps_epi32(a.v);
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
  return sum_of_ints(whole);
}

inline Vec rounded_to_half(Vec a) {
  return {_mm256_cvtph_ps(_mm256_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))};
}

inline float sum_of(Vec a) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  sum = _mm_add_ss(sum, _mm_movehdup_ps(sum));
  return _mm_cvtss_f32(sum);
}
inline float largest_of(Vec a) {
  __m128 most = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  most = _mm_max_ps(most, _mm_movehl_ps(most, most));
  most = _mm_max_ss(most, _mm_movehdup_ps(most));
  return _mm_cvtss_f32(most);
}

}  // namespace greta::kernels::avx2
