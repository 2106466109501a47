// matmul, qkv and gate_up: a block computes a tile of sums and stores it in its way.
#pragma once

#include "kernels/exponential.h"
#include "kernels/quantization.h"
#include "kernels/row_products.h"
#include "simt/launch_abi.h"

namespace greta::kernels::GRETA_ISA {

// The work of a block: rows from `first_row` on, and the tokens that the grid's y says.
template <class W>
inline Work work_of(const greta_simt_block& block, const uint8_t* weights, int first_row, int rows,
                    const Activations& activations, int cols, int m) {
  const int first_token = static_cast<int>(block.block_index.y) * kTokens;
  const int rest_rows = rows - first_row, rest_tokens = m - first_token;
  return {weights + first_row * row_bytes<W>(cols),
          rest_rows < kRows ? rest_rows : kRows,
          &activations,
          cols,
          first_token,
          rest_tokens < kTokens ? rest_tokens : kTokens};
}

inline void store_tile(const Work& work, const float (*tile)[kRows], float* y, int stride,
                       bool accumulate) {
  for (int t = 0; t < work.token_count; ++t, y += stride) {
    if (accumulate) {
      for (int r = 0; r < work.row_count; ++r) y[r] += tile[t][r];
    } else {
      __builtin_memcpy(y, tile[t], static_cast<size_t>(work.row_count) * sizeof(float));
    }
  }
}

template <class W>
inline void matmul(const greta_simt_block& block, const MatmulArguments& a) {
  const int first_row = static_cast<int>(block.block_index.x) * kRows;
  const Work work = work_of<W>(block, a.weights, first_row, a.rows, a.activations, a.cols, a.m);
  float tile[kTokens][kRows];
  multiply<W>(work, tile);
  float* y = a.y + static_cast<long>(work.first_token) * a.stride_y + first_row;
  store_tile(work, tile, y, a.stride_y, a.accumulate != 0);
}

// The blocks of q come first, then those of k, then those of v.
template <class W>
inline void qkv(const greta_simt_block& block, const QkvArguments& a) {
  const int blocks_q = (a.rows_q + kRows - 1) / kRows, blocks_kv = (a.rows_kv + kRows - 1) / kRows;
  int at = static_cast<int>(block.block_index.x), which = 0;
  if (at >= blocks_q) {
    which = at >= blocks_q + blocks_kv ? 2 : 1;
    at -= which == 2 ? blocks_q + blocks_kv : blocks_q;
  }
  const int rows = which == 0 ? a.rows_q : a.rows_kv;
  const Work work =
      work_of<W>(block, a.weights[which], at * kRows, rows, a.activations, a.cols, a.m);
  float tile[kTokens][kRows];
  multiply<W>(work, tile);
  float* y = a.y[which] + static_cast<long>(work.first_token) * rows + at * kRows;
  store_tile(work, tile, y, rows, false);
}

// One token's silu(gate) * up; where it is quantized, there are kRows rows.
inline void store_gated(const float* gate, const float* up, const GateUpArguments& a, int rows,
                        long index) {
  Vec values[kGroupVecs];
  for (int i = 0; i < kGroupVecs; ++i) {
    values[i] = silu(load(gate + i * Vec::kLanes)) * load(up + i * Vec::kLanes);
  }
  if (rows == kRows) return store_group(values, a.out, a.quantized, index);
  float all[kRows];
  for (int i = 0; i < kGroupVecs; ++i) store(all + i * Vec::kLanes, values[i]);
  for (int r = 0; r < rows && a.out != nullptr; ++r) a.out[index + r] = all[r];
}

template <class W>
inline void gate_up(const greta_simt_block& block, const GateUpArguments& a) {
  const int first_row = static_cast<int>(block.block_index.x) * kRows;
  float gate[kTokens][kRows], up[kTokens][kRows];
  Work work = work_of<W>(block, a.gate, first_row, a.rows, a.activations, a.cols, a.m);
  multiply<W>(work, gate);
  work.rows = a.up + first_row * row_bytes<W>(a.cols);
  multiply<W>(work, up);
  for (int t = 0; t < work.token_count; ++t) {
    const long index = static_cast<long>(work.first_token + t) * a.rows + first_row;
    store_gated(gate[t], up[t], a, work.row_count, index);
  }
}

}  // namespace greta::kernels::GRETA_ISA
