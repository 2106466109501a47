// Products of q4_0 weights, in the way that suits the number of tokens.
#pragma once

#include "kernels/few_tokens_avx512.h"
#include "kernels/many_tokens_avx512.h"

namespace greta::kernels::avx512 {

constexpr int kMany = 8;  // tokens

template <>
inline void multiply<q4_0>(const Work& work, Tile tile) {
  const int* bias = biases(work);
  if (work.token_count >= kMany) return multiply_many_tokens(work, bias, tile);
  for (int row = 0; row < work.row_count; row += kRowsAtOnce) {
    int token = 0;
    for (; token + 4 <= work.token_count; token += 4) {
      multiply_few_tokens<4>(work, bias, row, token, tile);
    }
    for (; token < work.token_count; ++token) {
      multiply_few_tokens<1>(work, bias, row, token, tile);
    }
  }
}

}  // namespace greta::kernels::avx512
