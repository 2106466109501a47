// Products of q4_0 weights: what the ways for few and for many tokens share, which is the order.
//
// The products of a group are added up as integers, which is exact, before the scales come in; and
// each group belongs to one of four sums, by its number:
//
//   sum[g % 4] = fma(sum of 32 products, scale of the weights * scale of the token, sum[g % 4])
//
// and in the end (0 + 2) + (1 + 3). That is one order for any number of tokens, as in
// row_products.h, but another one: of this type llama.cpp rearranges the weights when it loads
// them, so that there is no order to share with it.
#pragma once

#include <vector>

#include "kernels/nibble_chunks_avx512.h"

namespace greta::kernels::avx512 {

constexpr int kGroupSums = 4;

// Codes are unsigned, eight more than what they mean. For each token and group of a block: what
// that adds to the sum of products, negated; and some more at the end, to be read past it.
inline const int* biases(const Work& work) {
  static thread_local std::vector<int> room;
  const size_t count = static_cast<size_t>(work.cols / kGroup) * work.token_count;
  if (room.size() < count + kGroupSums) room.resize(count + kGroupSums);
  const int8_t* q = work.activations->q + static_cast<long>(work.first_token) * work.cols;
  const __m256i eight = _mm256_set1_epi8(q4_0::kBias);
  for (size_t i = 0; i < count; ++i, q += kGroup) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q));
    const __m256i lanes = _mm256_dpbusd_epi32(_mm256_setzero_si256(), eight, bytes);
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4e));
    room[i] = -_mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xb1)));
  }
  return room.data();
}

}  // namespace greta::kernels::avx512
