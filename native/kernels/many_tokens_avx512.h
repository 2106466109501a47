// q4_0 weights with many tokens: sixteen rows at a time, a lane of a register for each.
//
// The codes are taken apart once and kept for all tokens.
#pragma once

#include "kernels/group_sums_avx512.h"

namespace greta::kernels::avx512 {

constexpr int kLanes = 16;

// One group of sixteen rows: codes[k] has values 4k..4k+3 of each.
struct GroupOfSixteen {
  __m512i codes[8];
  __m512 scale;
};

// Sixteen rows as they lie in the file; those beyond the last repeat it, and nobody looks at their
// sums.
class SixteenRows {
 public:
  SixteenRows(const Work& work, int row) {
    const int last = work.row_count - 1;
    for (int i = 0; i < kLanes; ++i) {
      rows_[i] = work.rows + (row + i < last ? row + i : last) * row_bytes<q4_0>(work.cols);
    }
  }

  GroupOfSixteen group(int number) const {
    const long skip = static_cast<long>(number) * q4_0::kBytes;
    // Each has every fourth row, so that turning dwords within quarters puts rows in their order.
    const __m512i a = four_rows(0, skip + 2), b = four_rows(1, skip + 2);
    const __m512i c = four_rows(2, skip + 2), d = four_rows(3, skip + 2);
    const __m512i ab = _mm512_unpacklo_epi32(a, b), cd = _mm512_unpacklo_epi32(c, d);
    const __m512i ab_high = _mm512_unpackhi_epi32(a, b), cd_high = _mm512_unpackhi_epi32(c, d);
    GroupOfSixteen group;
    set_codes(group, 0, _mm512_unpacklo_epi64(ab, cd));
    set_codes(group, 1, _mm512_unpackhi_epi64(ab, cd));
    set_codes(group, 2, _mm512_unpacklo_epi64(ab_high, cd_high));
    set_codes(group, 3, _mm512_unpackhi_epi64(ab_high, cd_high));
    group.scale = scales(skip);
    return group;
  }

 private:
  __m512i four_rows(int first, long skip) const {
    __m512i bytes = _mm512_castsi128_si512(sixteen_bytes(rows_[first] + skip));
    bytes = _mm512_mask_broadcast_i32x4(bytes, 0x00f0, sixteen_bytes(rows_[first + 4] + skip));
    bytes = _mm512_mask_broadcast_i32x4(bytes, 0x0f00, sixteen_bytes(rows_[first + 8] + skip));
    return _mm512_mask_broadcast_i32x4(bytes, 0xf000, sixteen_bytes(rows_[first + 12] + skip));
  }

  static void set_codes(GroupOfSixteen& group, int k, __m512i bytes) {
    const __m512i nibble = _mm512_set1_epi8(15);
    group.codes[k] = _mm512_and_si512(bytes, nibble);
    group.codes[k + 4] = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble);
  }

  __m512 scales(long skip) const {
    alignas(32) uint16_t halves[kLanes];
    for (int i = 0; i < kLanes; ++i) halves[i] = word_at(rows_[i] + skip);
    return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(halves)));
  }

  const uint8_t* rows_[kLanes];
};

inline const GroupOfSixteen* taken_apart(const SixteenRows& rows, int groups) {
  static thread_local std::vector<GroupOfSixteen> room;
  if (room.size() < static_cast<size_t>(groups)) room.resize(groups);
  for (int i = 0; i < groups; ++i) room[i] = rows.group(i);
  return room.data();
}

inline __m512i dword_in_all(const int8_t* at) {
  return _mm512_set1_epi32(static_cast<int>(dword_at(reinterpret_cast<const uint8_t*>(at))));
}

inline __m512i products(const GroupOfSixteen& group, const int8_t* q, int bias) {
  __m512i even = _mm512_set1_epi32(bias), odd = _mm512_setzero_si512();
#pragma GCC unroll 4
  for (int k = 0; k < 8; k += 2) {
    even = _mm512_dpbusd_epi32(even, group.codes[k], dword_in_all(q + 4 * k));
    odd = _mm512_dpbusd_epi32(odd, group.codes[k + 1], dword_in_all(q + 4 * k + 4));
  }
  return _mm512_add_epi32(even, odd);
}

// One of the four sums of each row and token.
template <int kTokensAtOnce>
inline void sum_groups(const Work& work, const GroupOfSixteen* rows, const int* bias, int first,
                       int token, __m512* sums) {
  const long groups = work.cols / kGroup;
  const long start = (work.first_token + token) * groups;
  for (long i = first; i < groups; i += kGroupSums) {
    const GroupOfSixteen& group = rows[i];
#pragma GCC unroll 8
    for (int t = 0; t < kTokensAtOnce; ++t) {
      const long at = start + t * groups + i;
      const __m512i dots =
          products(group, work.activations->q + at * kGroup, bias[(token + t) * groups + i]);
      const __m512 scale = _mm512_mul_ps(group.scale, _mm512_set1_ps(work.activations->d[at]));
      sums[t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots), scale, sums[t]);
    }
  }
}

// Everything it calls must become part of it: the sums are to stay in registers.
template <int kTokensAtOnce>
__attribute__((flatten, noinline)) void multiply_sixteen(const Work& work,
                                                         const GroupOfSixteen* rows,
                                                         const int* bias, int row, int token,
                                                         Tile tile) {
  __m512 kept[kGroupSums][kTokensAtOnce];
  for (int i = 0; i < kGroupSums; ++i) {
    __m512 sums[kTokensAtOnce] = {};
    sum_groups<kTokensAtOnce>(work, rows, bias, i, token, sums);
#pragma GCC unroll 8
    for (int t = 0; t < kTokensAtOnce; ++t) kept[i][t] = sums[t];
  }
#pragma GCC unroll 8
  for (int t = 0; t < kTokensAtOnce; ++t) {
    const __m512 even = _mm512_add_ps(kept[0][t], kept[2][t]);
    const __m512 total = _mm512_add_ps(even, _mm512_add_ps(kept[1][t], kept[3][t]));
    _mm512_storeu_ps(tile[token + t] + row, total);
  }
}

inline void multiply_many_tokens(const Work& work, const int* bias, Tile tile) {
  static_assert(kRows % kLanes == 0, "a tile has room for the rows that are only repeated");
  for (int row = 0; row < work.row_count; row += kLanes) {
    const GroupOfSixteen* rows = taken_apart(SixteenRows(work, row), work.cols / kGroup);
    int token = 0;
    for (; token + 8 <= work.token_count; token += 8) {
      multiply_sixteen<8>(work, rows, bias, row, token, tile);
    }
    for (; token < work.token_count; ++token) {
      multiply_sixteen<1>(work, rows, bias, row, token, tile);
    }
  }
}

}  // namespace greta::kernels::avx512
