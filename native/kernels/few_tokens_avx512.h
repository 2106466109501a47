// q4_0 weights with few tokens: four rows and four groups of them at a time, each group once.
//
// Each quarter of a register belongs to a row. First its lanes are parts of one group's products;
// when the four groups are added up, lane k is group k.
#pragma once

#include "kernels/group_sums_avx512.h"

namespace greta::kernels::avx512 {

// Four groups of four rows; the last ones of a row may be fewer.
template <int kCount>
class FourGroups {
 public:
  FourGroups(const FewRows<q4_0>& rows, int first) {
    const long skip = static_cast<long>(first) * q4_0::kBytes;
#pragma GCC unroll 4
    for (int k = 0; k < kCount; ++k) {
      const long at = skip + k * q4_0::kBytes;
      groups_[k] =
          quad_nibbles({{rows.at[0] + at, rows.at[1] + at, rows.at[2] + at, rows.at[3] + at}}, 2);
    }
    scale_ = scales(rows, skip);
  }

  __m512 add_to(__m512 sums, const Activations& activations, long at, const int* bias) const {
    __m512i dots[kGroupSums] = {};
#pragma GCC unroll 4
    for (int k = 0; k < kCount; ++k) dots[k] = products(k, activations.q + (at + k) * kGroup);
    const __m512i more =
        _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bias)));
    const __m512 d =
        _mm512_broadcast_f32x4(_mm_maskz_loadu_ps((1 << kCount) - 1, activations.d + at));
    const __m512i whole = _mm512_add_epi32(added_up(dots), more);
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), _mm512_mul_ps(scale_, d), sums);
  }

 private:
  __m512i products(int k, const int8_t* q) const {
    const __m512i low = _mm512_broadcast_i32x4(sixteen_bytes(reinterpret_cast<const uint8_t*>(q)));
    const __m512i high =
        _mm512_broadcast_i32x4(sixteen_bytes(reinterpret_cast<const uint8_t*>(q + 16)));
    const __m512i dots = _mm512_dpbusd_epi32(_mm512_setzero_si512(), groups_[k].low, low);
    return _mm512_dpbusd_epi32(dots, groups_[k].high, high);
  }

  // In each quarter: lane k is the sum of the lanes of number k.
  static __m512i added_up(const __m512i (&of)[kGroupSums]) {
    const __m512i ab =
        _mm512_add_epi32(_mm512_unpacklo_epi32(of[0], of[1]), _mm512_unpackhi_epi32(of[0], of[1]));
    const __m512i cd =
        _mm512_add_epi32(_mm512_unpacklo_epi32(of[2], of[3]), _mm512_unpackhi_epi32(of[2], of[3]));
    return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
  }

  // The scales of a row's four groups lie in its next 64 bytes.
  static __m512 scales(const FewRows<q4_0>& rows, long skip) {
    constexpr uint64_t kAll = ~uint64_t{0};
    constexpr __mmask64 within = kCount == kGroupSums ? kAll : ~(kAll << kCount * q4_0::kBytes);
    __m512i bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = _mm512_maskz_loadu_epi8(within, rows.at[i] + skip);
    return _mm512_cvtph_ps(_mm256_setr_m128i(words(bytes[0], bytes[1]), words(bytes[2], bytes[3])));
  }

  static __m128i words(__m512i first, __m512i second) {
    constexpr int kStep = q4_0::kBytes / 2, kSecond = 32;
    const __m128i places = _mm_setr_epi16(0, kStep, 2 * kStep, 3 * kStep, kSecond, kSecond + kStep,
                                          kSecond + 2 * kStep, kSecond + 3 * kStep);
    return _mm512_castsi512_si128(
        _mm512_permutex2var_epi16(first, _mm512_castsi128_si512(places), second));
  }

  Quad groups_[kGroupSums];
  __m512 scale_;
};

// Everything it calls must become part of it: the sums are to stay in registers.
template <int kTokensAtOnce, int kCount>
inline __attribute__((always_inline)) void add_groups(const Work& work, const FewRows<q4_0>& rows,
                                                      const int* bias, int first, int token,
                                                      __m512* sums) {
  const FourGroups<kCount> groups(rows, first);
  const long in_row = work.cols / kGroup;
#pragma GCC unroll 4
  for (int t = 0; t < kTokensAtOnce; ++t) {
    const long at = (work.first_token + token + t) * in_row + first;
    sums[t] = groups.add_to(sums[t], *work.activations, at, bias + (token + t) * in_row + first);
  }
}

template <int kTokensAtOnce>
__attribute__((flatten, noinline)) void multiply_few_tokens(const Work& work, const int* bias,
                                                            int row, int token, Tile tile) {
  const FewRows<q4_0> rows(work, row);
  const int groups = work.cols / kGroup;
  __m512 sums[kTokensAtOnce] = {};
  int group = 0;
  for (; group + kGroupSums <= groups; group += kGroupSums) {
    prefetch<q4_0, kGroupSums>(rows.at[0], group);
    add_groups<kTokensAtOnce, kGroupSums>(work, rows, bias, group, token, sums);
  }
  switch (groups - group) {
    case 3:
      add_groups<kTokensAtOnce, 3>(work, rows, bias, group, token, sums);
      break;
    case 2:
      add_groups<kTokensAtOnce, 2>(work, rows, bias, group, token, sums);
      break;
    case 1:
      add_groups<kTokensAtOnce, 1>(work, rows, bias, group, token, sums);
      break;
    default:
      break;
  }
#pragma GCC unroll 4
  for (int t = 0; t < kTokensAtOnce; ++t) {
    const __m512 totals = _mm512_maskz_compress_ps(0x1111, quarter_sums(sums[t]));
    _mm_storeu_ps(tile[token + t] + row, _mm512_castps512_ps128(totals));
  }
}

}  // namespace greta::kernels::avx512
