// A group of 32 quantized weights of two rows in one register.
//
// Codes are unsigned and multiplied with the signed bytes of the activations (vpdpbusd): four
// products in each 32-bit lane, so that lanes 0..7 belong to the first row and 8..15 to the second.
#pragma once

#include "kernels/float_chunks.h"

namespace greta::kernels::avx512 {

constexpr __mmask16 kSecondRow = 0xff00;

struct QuantizedSum {
  __m512 lanes = _mm512_setzero_ps();
  __m512 offset = _mm512_setzero_ps();
};

struct Pair {
  __m512i codes;
  __m512 scale;
  __m512 offset;
};

inline uint16_t word_at(const uint8_t* at) {
  uint16_t word;
  __builtin_memcpy(&word, at, sizeof word);
  return word;
}
inline uint32_t dword_at(const uint8_t* at) {
  uint32_t dword;
  __builtin_memcpy(&dword, at, sizeof dword);
  return dword;
}
inline float half_at(const uint8_t* at) { return _cvtsh_ss(word_at(at)); }

// The half-precision numbers at two addresses, each in the eight lanes of its row.
inline __m512 two_halves(const uint8_t* first, const uint8_t* second) {
  const __m256i words =
      _mm256_mask_set1_epi16(_mm256_set1_epi16(static_cast<short>(word_at(first))), kSecondRow,
                             static_cast<short>(word_at(second)));
  return _mm512_cvtph_ps(words);
}

inline __m512i bytes_at(const uint8_t* first, const uint8_t* second) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Group j of the blocks a and b.
inline Pair read(q8_0, const uint8_t* a, const uint8_t* b, int) {
  const __m512i codes = _mm512_xor_si512(bytes_at(a + 2, b + 2), _mm512_set1_epi8(-128));
  return {codes, two_halves(a, b), _mm512_setzero_ps()};
}

template <class W>
struct QuantizedChunk {
  using Sum = QuantizedSum;
  static constexpr int kRows = 2;
  Pair pair;

  QuantizedChunk(const uint8_t* const* rows, int group)
      : pair(read(W{}, block_of<W>(rows[0], group), block_of<W>(rows[1], group),
                  group % (W::kValues / kGroup))) {}
};

// What the codes of a type being unsigned adds to the sums, negated.
template <class W>
inline __m512i start_of(__m512i q) {
  const __m512i none = _mm512_setzero_si512();
  if (W::kBias == 0) return none;
  const __m512i bias = _mm512_set1_epi8(static_cast<char>(W::kBias));
  return _mm512_sub_epi32(none, _mm512_dpbusd_epi32(none, bias, q));
}

template <class W>
struct QuantizedTokenChunk {
  __m512i q;
  __m512i start;
  __m512 d;
  __m512 s;

  QuantizedTokenChunk() = default;
  QuantizedTokenChunk(const Activations& a, int cols, int token, int group) {
    const long at = static_cast<long>(token) * (cols / kGroup) + group;
    const auto* bytes = reinterpret_cast<const __m256i*>(a.q + at * kGroup);
    q = _mm512_broadcast_i64x4(_mm256_loadu_si256(bytes));
    start = start_of<W>(q);
    d = _mm512_set1_ps(a.d[at]);
    if (W::kHasOffset) s = _mm512_set1_ps(a.s[at]);
  }
};

template <class W>
inline void add(QuantizedSum& sum, const QuantizedChunk<W>& w,
                const QuantizedTokenChunk<W>& token) {
  const __m512i dots = _mm512_dpbusd_epi32(token.start, w.pair.codes, token.q);
  const __m512 scale = _mm512_mul_ps(w.pair.scale, token.d);
  sum.lanes = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots), scale, sum.lanes);
  if (W::kHasOffset) sum.offset = _mm512_fmadd_ps(w.pair.offset, token.s, sum.offset);
}

// In each quarter of a register: the sum of its four lanes, in all of them.
inline __m512 quarter_sums(__m512 a) {
  a = _mm512_add_ps(a, _mm512_shuffle_ps(a, a, 0x4e));
  return _mm512_add_ps(a, _mm512_shuffle_ps(a, a, 0xb1));
}

template <class W>
inline void store_totals(const QuantizedSum& sum, float* to) {
  const __m512 halves = _mm512_add_ps(sum.lanes, _mm512_shuffle_f32x4(sum.lanes, sum.lanes, 0xb1));
  __m512 totals = quarter_sums(halves);
  if (W::kHasOffset) totals = _mm512_add_ps(totals, sum.offset);
  _mm_storel_pi(reinterpret_cast<__m64*>(to),
                _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x0101, totals)));
}

}  // namespace greta::kernels::avx512
