// Products of q4_k, q5_k and q6_k weights, for instruction sets that have registers of 256 bits.
//
// The 256 values of a block share a scale, and so do the activations they are multiplied with (q8_k
// of the kernels' README). So their products are summed up as whole numbers, each times the whole
// scale of its group, and rounded once per block; in the order of llama.cpp's products with 256-bit
// instructions:
//
//   q4_k        total   = fma(sum of all 256, scale, total), and likewise what the minima take off
//   q5_k, q6_k  lane[j] = fma(scale, sum of values 4j..4j+3 of each group, lane[j]); in the end the
//               lanes are halved, as in row_products.h
//
// Codes of q6_k are unsigned here: lane j has what that adds to group j.
#pragma once

#include <immintrin.h>

#include <vector>

#include "kernels/k_scales.h"
#include "kernels/row_products.h"

namespace greta::kernels::GRETA_ISA {

constexpr int kBlock = kSuperGroup * kGroup;

// The codes of a block of one token: lane j has the sum of each half of group j.
struct HalfSums {
  __m256i first, second;
};

inline __m256i load_bytes(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

// Four sums in each half of a register: those of groups 0..3, each of 16 codes.
inline __m256i sums_of_sixteen(const int8_t* q) {
  __m256i parts[4];
  for (int i = 0; i < 4; ++i) {
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), load_bytes(q + i * kGroup));
    parts[i] = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  }
  return _mm256_hadd_epi32(_mm256_hadd_epi32(parts[0], parts[1]),
                           _mm256_hadd_epi32(parts[2], parts[3]));
}

inline HalfSums half_sums(const int8_t* q) {
  const __m256i low = sums_of_sixteen(q), high = sums_of_sixteen(q + kBlock / 2);
  return {_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)};
}

// Those of every token and block, as all rows want them.
inline const HalfSums* all_half_sums(const Work& work) {
  static thread_local std::vector<HalfSums> room;
  const long blocks = work.cols / kBlock, count = work.token_count * blocks;
  if (room.size() < static_cast<size_t>(count)) room.resize(count);
  const int8_t* q = work.activations->q + static_cast<long>(work.first_token) * work.cols;
  for (long i = 0; i < count; ++i) room[i] = half_sums(q + i * kBlock);
  return room.data();
}

inline int total_of(__m256i lanes) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}

inline float total_of(__m256 lanes) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

// The same bits of 32 bytes: those from `shift` on that `mask` has.
inline __m256i bits_at(const uint8_t* at, int shift, char mask) {
  return _mm256_and_si256(_mm256_srl_epi16(load_bytes(at), _mm_cvtsi32_si128(shift)),
                          _mm256_set1_epi8(mask));
}

// 256 codes of a row, and the scale of each group: 16 times a 16-bit number.
struct ScaledCodes {
  __m256i codes[kSuperGroup];
  __m256i scale[kSuperGroup];

  __m256i products(const int8_t* q) const {
    __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (int j = 0; j < kSuperGroup; ++j) {
      const __m256i pairs = _mm256_maddubs_epi16(codes[j], load_bytes(q + j * kGroup));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(scale[j], pairs));
    }
    return sum;
  }
};

// What q4_k and q5_k have in common: sixteen numbers of six bits.
struct WithMinima : ScaledCodes {
  __m256i minimum;  // lane j is that of group j
  float d, d_of_minima;

  explicit WithMinima(const uint8_t* block) : d(half_at(block)), d_of_minima(half_at(block + 2)) {
    alignas(32) int minima[kSuperGroup];
    for (int j = 0; j < kSuperGroup; ++j) {
      const KScale both = k_scale(block + 4, j);
      scale[j] = _mm256_set1_epi16(static_cast<short>(both.scale));
      minima[j] = both.minimum;
    }
    minimum = load_bytes(minima);
  }

  float minima(const HalfSums& sums) const {
    const __m256i whole = _mm256_add_epi32(sums.first, sums.second);
    return static_cast<float>(total_of(_mm256_mullo_epi32(whole, minimum)));
  }
};

template <class W>
struct BlockOf;

template <>
struct BlockOf<q4_k> : WithMinima {
  struct Sum {
    float total = 0, minima = 0;
    float result() const { return total - minima; }
  };

  explicit BlockOf(const uint8_t* block) : WithMinima(block) {
    for (int j = 0; j < kSuperGroup; ++j)
      codes[j] = bits_at(block + 16 + j / 2 * 32, j % 2 * 4, 15);
  }

  void add_to(Sum& sum, const int8_t* q, float token, const HalfSums& sums) const {
    const auto whole = static_cast<float>(total_of(products(q)));
    sum.total = __builtin_fmaf(whole, d * token, sum.total);
    sum.minima = __builtin_fmaf(minima(sums), d_of_minima * token, sum.minima);
  }
};

struct LaneSum {
  __m256 lanes = _mm256_setzero_ps();

  void add(__m256i whole, float scale) {
    lanes = _mm256_fmadd_ps(_mm256_set1_ps(scale), _mm256_cvtepi32_ps(whole), lanes);
  }
};

template <>
struct BlockOf<q5_k> : WithMinima {
  struct Sum : LaneSum {
    float offset = 0;
    float result() const { return total_of(lanes) + offset; }
  };

  explicit BlockOf(const uint8_t* block) : WithMinima(block) {
    for (int j = 0; j < kSuperGroup; ++j) {
      const __m256i low = bits_at(block + 48 + j / 2 * 32, j % 2 * 4, 15);
      const __m256i high = bits_at(block + 16, j, 1);
      codes[j] = _mm256_or_si256(low, _mm256_slli_epi16(high, 4));
    }
  }

  void add_to(Sum& sum, const int8_t* q, float token, const HalfSums& sums) const {
    sum.add(products(q), d * token);
    sum.offset = __builtin_fmaf(-token * d_of_minima, minima(sums), sum.offset);
  }
};

template <>
struct BlockOf<q6_k> : ScaledCodes {
  struct Sum : LaneSum {
    float result() const { return total_of(lanes); }
  };
  __m256i first, second;  // lane j: the scales of group j's halves
  float d;

  explicit BlockOf(const uint8_t* block) : d(half_at(block + 208)) {
    const auto* scales = reinterpret_cast<const int8_t*>(block + 192);
    for (int j = 0; j < kSuperGroup; ++j) {
      const int half = j / 4, quarter = j % 4;
      const __m256i low = bits_at(block + half * 64 + quarter % 2 * 32, quarter / 2 * 4, 15);
      const __m256i high = bits_at(block + 128 + half * 32, quarter * 2, 3);
      codes[j] = _mm256_or_si256(low, _mm256_slli_epi16(high, 4));
      scale[j] = _mm256_set_m128i(_mm_set1_epi16(scales[2 * j + 1]), _mm_set1_epi16(scales[2 * j]));
    }
    const __m256i pairs =
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(scales)));
    first = _mm256_srai_epi32(_mm256_slli_epi32(pairs, 16), 16);
    second = _mm256_srai_epi32(pairs, 16);
  }

  void add_to(Sum& sum, const int8_t* q, float token, const HalfSums& sums) const {
    const __m256i more = _mm256_add_epi32(_mm256_mullo_epi32(sums.first, first),
                                          _mm256_mullo_epi32(sums.second, second));
    sum.add(_mm256_sub_epi32(products(q), _mm256_slli_epi32(more, 5)), d * token);
  }
};

// One row with all tokens. Everything it calls must become part of it, to stay in registers.
template <class W>
__attribute__((flatten, noinline)) void multiply_row(const Work& work, const HalfSums* half_sums,
                                                     int row, Tile tile) {
  typename BlockOf<W>::Sum sums[kTokens];
  const uint8_t* weights = work.rows + row * row_bytes<W>(work.cols);
  const long blocks = work.cols / kBlock, first = work.first_token * blocks;
  for (long i = 0; i < blocks; ++i) {
    const BlockOf<W> block(weights + i * W::kBytes);
    for (int t = 0; t < work.token_count; ++t) {
      const long at = t * blocks + i;
      const int8_t* q = work.activations->q + (first + at) * kBlock;
      const float d = work.activations->d[(first + at) * kSuperGroup];
      block.add_to(sums[t], q, d, half_sums[at]);
    }
  }
  for (int t = 0; t < work.token_count; ++t) tile[t][row] = sums[t].result();
}

template <class W>
inline void multiply_blocks(const Work& work, Tile tile) {
  const HalfSums* sums = all_half_sums(work);
  for (int row = 0; row < work.row_count; ++row) multiply_row<W>(work, sums, row, tile);
}

template <>
inline void multiply<q4_k>(const Work& work, Tile tile) {
  multiply_blocks<q4_k>(work, tile);
}
template <>
inline void multiply<q5_k>(const Work& work, Tile tile) {
  multiply_blocks<q5_k>(work, tile);
}
template <>
inline void multiply<q6_k>(const Work& work, Tile tile) {
  multiply_blocks<q6_k>(work, tile);
}

}  // namespace greta::kernels::GRETA_ISA
