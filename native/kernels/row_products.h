// Products of rows with tokens, a few rows and a few tokens at a time: what the weights are read
// for is used for all of them.
//
// The sum of a row and a token is formed in one order, however many rows and tokens there are: so
// that prefill, decode and batches give the same bits. It is the order of llama.cpp's products with
// 256-bit instructions, so that the two also agree with each other. Of each group of 32 values,
// lane j of 8 has values 4j..4j+3:
//
//   lane[j] = fma(scale of the weights * scale of the token, sum of four products, lane[j])
//   offset  = fma(offset of the weights, sum of the token, offset)
//
// and in the end the lanes are halved (0 + 4, 1 + 5, ...; then 0 + 2, 1 + 3; then 0 + 1) and the
// offset is added. Another order, for q4_0, is in group_sums_avx512.h.
#pragma once

#include "kernels/arguments.h"

namespace greta::kernels::GRETA_ISA {

constexpr int kRows = 32;    // of a block
constexpr int kTokens = 64;  // of a block

// In which form weights of a type are multiplied, and the activations with them. An instruction set
// may have its own for some types.
template <class W, bool kIsQuantized = W::kIsQuantized>
struct Chunks {
  using Weights = QuantizedChunk<W>;
  using Tokens = QuantizedTokenChunk<W>;
};
template <class W>
struct Chunks<W, false> {
  using Weights = FloatChunk<W>;
  using Tokens = FloatTokenChunk<W>;
};

// The sums of a block: [token][row].
using Tile = float (*)[kRows];

// Some rows of a matrix and the tokens they are multiplied with.
struct Work {
  const uint8_t* rows;  // the first
  int row_count;        // at most kRows
  const Activations* activations;
  int cols;
  int first_token;
  int token_count;  // at most kTokens
};

constexpr int kRowsAtOnce = 4;

// The rows that are multiplied at once; those beyond the last repeat it, and nobody looks at their
// sums.
template <class W>
struct FewRows {
  const uint8_t* at[kRowsAtOnce];

  FewRows(const Work& work, int row) {
    const int last = work.row_count - 1;
    for (int i = 0; i < kRowsAtOnce; ++i) {
      at[i] = work.rows + (row + i < last ? row + i : last) * row_bytes<W>(work.cols);
    }
  }
};

// Rows lie one after the other, so several at a time are read from places far apart; which the
// hardware's own prefetching does not take for one stream. Asks for what will be read a while
// later.
template <class W, int kGroups = 1>
inline void prefetch(const uint8_t* first, int group) {
  constexpr int kAhead = 4096, kLine = 64;
  constexpr int kBytes = kRowsAtOnce * W::kBytes / (W::kValues / kGroup);
  const uint8_t* at = first + static_cast<long>(group) * kBytes + kAhead;
#pragma GCC unroll 16
  for (int i = 0; i < kGroups * kBytes; i += kLine) __builtin_prefetch(at + i);
}

// Everything it calls must become part of it: the sums are to stay in registers.
template <class W, int kTokensAtOnce>
__attribute__((flatten, noinline)) void multiply_few(const Work& work, int row, int token,
                                                     Tile tile) {
  using Weights = typename Chunks<W>::Weights;
  using Tokens = typename Chunks<W>::Tokens;
  constexpr int kChunks = kRowsAtOnce / Weights::kRows;
  const FewRows<W> rows(work, row);
  typename Weights::Sum sums[kChunks * kTokensAtOnce] = {};
  for (int group = 0; group < work.cols / kGroup; ++group) {
    prefetch<W>(rows.at[0], group);
    Tokens tokens[kTokensAtOnce];
#pragma GCC unroll 8
    for (int t = 0; t < kTokensAtOnce; ++t) {
      tokens[t] = Tokens(*work.activations, work.cols, work.first_token + token + t, group);
    }
#pragma GCC unroll 4
    for (int c = 0; c < kChunks; ++c) {
      const Weights weights(rows.at + c * Weights::kRows, group);
#pragma GCC unroll 8
      for (int t = 0; t < kTokensAtOnce; ++t) add(sums[c * kTokensAtOnce + t], weights, tokens[t]);
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < kChunks * kTokensAtOnce; ++i) {
    const int chunk = i / kTokensAtOnce;
    store_totals<W>(sums[i], tile[token + i % kTokensAtOnce] + row + chunk * Weights::kRows);
  }
}

template <class W>
inline void multiply(const Work& work, Tile tile) {
  for (int row = 0; row < work.row_count; row += kRowsAtOnce) {
    int token = 0;
    for (; token + 8 <= work.token_count; token += 8) multiply_few<W, 8>(work, row, token, tile);
    for (; token + 4 <= work.token_count; token += 4) multiply_few<W, 4>(work, row, token, tile);
    for (; token < work.token_count; ++token) multiply_few<W, 1>(work, row, token, tile);
  }
}

}  // namespace greta::kernels::GRETA_ISA
