// Groups of 32 quantized weights in one register.
//
// Codes are unsigned and multiplied with the signed bytes of the activations (vpmaddubsw), except
// for q8_0, whose products would overflow 16 bits: there the sign moves to the other factor.
#pragma once

#include "kernels/float_chunks.h"

namespace greta::kernels::avx2 {

struct QuantizedSum {
  __m256 lanes = _mm256_setzero_ps();
  float offset = 0;
};
template <class W>
inline void store_totals(const QuantizedSum& sum, float* to) {
  *to = sum_of({sum.lanes}) + sum.offset;
}

struct Group {
  __m256i codes;
  __m256 scale;
  float offset;
};

inline float half_at(const uint8_t* at) {
  return _cvtsh_ss(static_cast<unsigned short>(at[0] | at[1] << 8));
}
inline __m256i bytes_at(const uint8_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

// Value i is the low half of byte i, value 16 + i its high half.
inline __m256i nibbles(const uint8_t* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m256i both = _mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes);
  return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

// 16 where bit i of four bytes is set, for value i.
inline __m256i fifth_bits(const uint8_t* at) {
  int bits;
  __builtin_memcpy(&bits, at, sizeof bits);
  const __m256i spread =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), spread);
  const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  const __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
  return _mm256_and_si256(is_set, _mm256_set1_epi8(16));
}

inline Group read(q8_0, const uint8_t* block, int) {
  return {bytes_at(block + 2), _mm256_set1_ps(half_at(block)), 0};
}
inline Group read(q4_0, const uint8_t* block, int) {
  return {nibbles(block + 2), _mm256_set1_ps(half_at(block)), 0};
}
inline Group read(q4_1, const uint8_t* block, int) {
  return {nibbles(block + 4), _mm256_set1_ps(half_at(block)), half_at(block + 2)};
}
inline Group read(q5_0, const uint8_t* block, int) {
  const __m256i codes = _mm256_or_si256(nibbles(block + 6), fifth_bits(block + 2));
  return {codes, _mm256_set1_ps(half_at(block)), 0};
}
inline Group read(q5_1, const uint8_t* block, int) {
  const __m256i codes = _mm256_or_si256(nibbles(block + 8), fifth_bits(block + 4));
  return {codes, _mm256_set1_ps(half_at(block)), half_at(block + 2)};
}

template <class W>
struct QuantizedChunk {
  using Sum = QuantizedSum;
  static constexpr int kRows = 1;
  Group group;

  QuantizedChunk(const uint8_t* const* row, int index)
      : group(read(W{}, block_of<W>(*row, index), index % (W::kValues / kGroup))) {}
};

inline __m256i add_products(__m256i unsigned_bytes, __m256i signed_bytes) {
  const __m256i pairs = _mm256_maddubs_epi16(unsigned_bytes, signed_bytes);
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

template <class W>
struct QuantizedTokenChunk {
  static constexpr bool kIsSigned = W::kBias == 128;
  __m256i q;
  __m256i bias;  // what the codes being unsigned adds to the sums
  float d, s;

  QuantizedTokenChunk() = default;
  QuantizedTokenChunk(const Activations& a, int cols, int token, int group) {
    const long at = static_cast<long>(token) * (cols / kGroup) + group;
    q = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a.q + at * kGroup));
    bias = kIsSigned ? q : add_products(_mm256_set1_epi8(static_cast<char>(W::kBias)), q);
    d = a.d[at];
    s = a.s[at];
  }

  __m256i dot(__m256i codes) const {
    if (kIsSigned) return add_products(_mm256_sign_epi8(codes, codes), _mm256_sign_epi8(q, codes));
    const __m256i sums = add_products(codes, q);
    return W::kBias != 0 ? _mm256_sub_epi32(sums, bias) : sums;
  }
};

template <class W>
inline void add(QuantizedSum& sum, const QuantizedChunk<W>& w,
                const QuantizedTokenChunk<W>& token) {
  const __m256 scale = _mm256_mul_ps(w.group.scale, _mm256_set1_ps(token.d));
  const __m256 products = _mm256_cvtepi32_ps(token.dot(w.group.codes));
  sum.lanes = _mm256_fmadd_ps(products, scale, sum.lanes);
  if (W::kHasOffset) sum.offset += w.group.offset * token.s;
}

}  // namespace greta::kernels::avx2
