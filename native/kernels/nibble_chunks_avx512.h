// A group of 32 weights with four or five bits each, of four rows: half of its values in one
// register.
//
// Each quarter of a register belongs to one row. `low` has values 0..15 of the group, which are the
// low halves of its bytes and the first four of the eight lanes that row_products.h speaks of;
// `high` has values 16..31. Offsets are in the second lane of each quarter.
#pragma once

#include "kernels/chunks_avx512.h"
#include "kernels/row_products.h"

namespace greta::kernels::avx512 {

struct NibbleSum {
  __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
  __m512 offset = _mm512_setzero_ps();
};

struct Quad {
  __m512i low, high;
  __m512 scale, offset;
};

// The same block of four rows.
struct QuadBlocks {
  const uint8_t* at[4];
};

inline __m128i sixteen_bytes(const uint8_t* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

// Codes of four bits that begin `skip` bytes into their blocks.
inline Quad quad_nibbles(const QuadBlocks& blocks, int skip) {
  __m512i bytes = _mm512_castsi128_si512(sixteen_bytes(blocks.at[0] + skip));
  bytes = _mm512_mask_broadcast_i32x4(bytes, 0x00f0, sixteen_bytes(blocks.at[1] + skip));
  bytes = _mm512_mask_broadcast_i32x4(bytes, 0x0f00, sixteen_bytes(blocks.at[2] + skip));
  bytes = _mm512_mask_broadcast_i32x4(bytes, 0xf000, sixteen_bytes(blocks.at[3] + skip));
  const __m512i nibble = _mm512_set1_epi8(15);
  Quad quad;
  quad.low = _mm512_and_si512(bytes, nibble);
  quad.high = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble);
  quad.offset = _mm512_setzero_ps();
  return quad;
}

inline void add_fifth_bits(const QuadBlocks& blocks, int skip, Quad& quad) {
  uint64_t low = 0, high = 0;
  for (int i = 0; i < 4; ++i) {
    low |= static_cast<uint64_t>(word_at(blocks.at[i] + skip)) << 16 * i;
    high |= static_cast<uint64_t>(word_at(blocks.at[i] + skip + 2)) << 16 * i;
  }
  const __m512i sixteen = _mm512_set1_epi8(16);
  quad.low = _mm512_mask_add_epi8(quad.low, low, quad.low, sixteen);
  quad.high = _mm512_mask_add_epi8(quad.high, high, quad.high, sixteen);
}

// The first half-precision number of each block, in the lanes of its group.
inline void set_scale(const QuadBlocks& blocks, Quad& quad) {
  const __m256i spread = _mm256_setr_epi16(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  __m128i words = _mm_cvtsi32_si128(word_at(blocks.at[0]));
  words = _mm_insert_epi16(words, word_at(blocks.at[1]), 1);
  words = _mm_insert_epi16(words, word_at(blocks.at[2]), 2);
  words = _mm_insert_epi16(words, word_at(blocks.at[3]), 3);
  quad.scale = _mm512_cvtph_ps(_mm256_permutexvar_epi16(spread, _mm256_castsi128_si256(words)));
}

// The first two: scale and offset.
inline void set_scale_and_offset(const QuadBlocks& blocks, Quad& quad) {
  const __m256i spread = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  __m128i pairs = _mm_cvtsi32_si128(static_cast<int>(dword_at(blocks.at[0])));
  pairs = _mm_insert_epi32(pairs, static_cast<int>(dword_at(blocks.at[1])), 1);
  pairs = _mm_insert_epi32(pairs, static_cast<int>(dword_at(blocks.at[2])), 2);
  pairs = _mm_insert_epi32(pairs, static_cast<int>(dword_at(blocks.at[3])), 3);
  quad.offset = _mm512_cvtph_ps(_mm256_permutexvar_epi32(spread, _mm256_castsi128_si256(pairs)));
  quad.scale = _mm512_moveldup_ps(quad.offset);
}

inline Quad read_quad(q4_0, const QuadBlocks& blocks) {
  Quad quad = quad_nibbles(blocks, 2);
  set_scale(blocks, quad);
  return quad;
}
inline Quad read_quad(q4_1, const QuadBlocks& blocks) {
  Quad quad = quad_nibbles(blocks, 4);
  set_scale_and_offset(blocks, quad);
  return quad;
}
inline Quad read_quad(q5_0, const QuadBlocks& blocks) {
  Quad quad = quad_nibbles(blocks, 6);
  add_fifth_bits(blocks, 2, quad);
  set_scale(blocks, quad);
  return quad;
}
inline Quad read_quad(q5_1, const QuadBlocks& blocks) {
  Quad quad = quad_nibbles(blocks, 8);
  add_fifth_bits(blocks, 4, quad);
  set_scale_and_offset(blocks, quad);
  return quad;
}

template <class W>
struct NibbleChunk {
  using Sum = NibbleSum;
  static constexpr int kRows = 4;
  Quad quad;

  NibbleChunk(const uint8_t* const* rows, int group) {
    const long skip = static_cast<long>(group) * W::kBytes;
    quad = read_quad(W{}, {{rows[0] + skip, rows[1] + skip, rows[2] + skip, rows[3] + skip}});
  }
};

template <class W>
struct NibbleTokenChunk {
  __m512i low, high;
  __m512i low_start, high_start;
  __m512 d, s;

  NibbleTokenChunk() = default;
  NibbleTokenChunk(const Activations& a, int cols, int token, int group) {
    const long at = static_cast<long>(token) * (cols / kGroup) + group;
    const auto* bytes = reinterpret_cast<const __m128i*>(a.q + at * kGroup);
    low = _mm512_broadcast_i32x4(_mm_loadu_si128(bytes));
    high = _mm512_broadcast_i32x4(_mm_loadu_si128(bytes + 1));
    low_start = start_of<W>(low);
    high_start = start_of<W>(high);
    d = _mm512_set1_ps(a.d[at]);
    if (W::kHasOffset) s = _mm512_set1_ps(a.s[at]);
  }
};

template <class W>
inline void add(NibbleSum& sum, const NibbleChunk<W>& w, const NibbleTokenChunk<W>& token) {
  const __m512i low = _mm512_dpbusd_epi32(token.low_start, w.quad.low, token.low);
  const __m512i high = _mm512_dpbusd_epi32(token.high_start, w.quad.high, token.high);
  const __m512 scale = _mm512_mul_ps(w.quad.scale, token.d);
  sum.low = _mm512_fmadd_ps(_mm512_cvtepi32_ps(low), scale, sum.low);
  sum.high = _mm512_fmadd_ps(_mm512_cvtepi32_ps(high), scale, sum.high);
  if (W::kHasOffset) sum.offset = _mm512_fmadd_ps(w.quad.offset, token.s, sum.offset);
}

template <class W>
inline void store_totals(const NibbleSum& sum, float* to) {
  __m512 totals = quarter_sums(_mm512_add_ps(sum.low, sum.high));
  if (W::kHasOffset) totals = _mm512_add_ps(totals, _mm512_movehdup_ps(sum.offset));
  _mm_storeu_ps(to, _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, totals)));
}

template <class W>
struct NibbleChunks {
  using Weights = NibbleChunk<W>;
  using Tokens = NibbleTokenChunk<W>;
};
template <>
struct Chunks<q4_0> : NibbleChunks<q4_0> {};
template <>
struct Chunks<q4_1> : NibbleChunks<q4_1> {};
template <>
struct Chunks<q5_0> : NibbleChunks<q5_0> {};
template <>
struct Chunks<q5_1> : NibbleChunks<q5_1> {};

}  // namespace greta::kernels::avx512
