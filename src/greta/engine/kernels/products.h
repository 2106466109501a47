// Products of weight rows with the activations of some tokens, by all threads of a block.
//
// A block takes kRows rows. Eight threads share a row: each takes every eighth group of 32 columns,
// for a tile of eight tokens, and leaves its sums in shared memory; then each thread adds up one
// row for one token.
#pragma once

#include "blocks.h"

namespace greta {

constexpr int kLanes = kThreads / kRows;  // threads that share a row
constexpr int kTile = kThreads / kRows;   // tokens at a time

// The tokens a product is made with; x for float weights, the others for quantized ones.
struct Activations {
  const signed char* q;
  const float* d;
  const float* s;
  const float* x;
  int cols;
};

__device__ inline float dot(const QuantizedGroup& w, const Activations& a, int token, int group) {
  const long at = static_cast<long>(token) * (a.cols / kGroup) + group;
  const signed char* q = a.q + at * kGroup;
  int low = 0, high = 0;
  for (int i = 0; i < 16; ++i) low += w.code[i] * q[i];
  for (int i = 16; i < 32; ++i) high += w.code[i] * q[i];
  const float scaled = w.scale[0] * static_cast<float>(low) + w.scale[1] * static_cast<float>(high);
  return a.d[at] * scaled + w.offset * a.s[at];
}

__device__ inline float dot(const FloatGroup& w, const Activations& a, int token, int group) {
  const float* x = a.x + static_cast<long>(token) * a.cols + group * kGroup;
  float sum = 0;
  for (int i = 0; i < kGroup; ++i) sum += w.value[i] * x[i];
  return sum;
}

// One thread's part of a row, for tokens [first, first + count).
template <class W>
__device__ inline void add_products(const Byte* row, const Activations& a, int first, int count,
                                    float* sums) {
  typename W::Group group;
  for (int index = threadIdx.x % kLanes; index < a.cols / kGroup; index += kLanes) {
    read_group<W>(row, index, group);
    for (int t = 0; t < count; ++t) sums[t] += dot(group, a, first + t, index);
  }
}

// The row and the token (of the tile) whose sum a thread gets.
__device__ inline int tile_row() { return threadIdx.x / kTile; }
__device__ inline int tile_token() { return threadIdx.x % kTile; }

// Multiplies rows [first_row, first_row + kRows) of `rows` with tokens [first, first + count).
// Returns this thread's sum: that of tile_row() and tile_token().
template <class W>
__device__ inline float multiply_tile(const void* weights, int first_row, int rows,
                                      const Activations& a, int first, int count) {
  __shared__ float partial[kThreads][kTile];
  float sums[kTile] = {};
  const int row = first_row + static_cast<int>(threadIdx.x) / kLanes;
  if (row < rows) add_products<W>(row_at<W>(weights, row, a.cols), a, first, count, sums);
  for (int t = 0; t < kTile; ++t) partial[threadIdx.x][t] = sums[t];
  __syncthreads();
  float sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    sum += partial[tile_row() * kLanes + lane][tile_token()];
  }
  __syncthreads();
  return sum;
}

// Calls tile(first, count) for the tokens of this block, kTile at a time.
template <class Tile>
__device__ inline void for_token_tiles(int m, Tile tile) {
  const int begin = static_cast<int>(blockIdx.y) * kTokens;
  const int end = begin + kTokens < m ? begin + kTokens : m;
  for (int first = begin; first < end; first += kTile) {
    tile(first, first + kTile < end ? kTile : end - first);
  }
}

struct Product {
  const void* weights;
  float* y;
  int rows;
  int stride;  // between tokens of y
  bool accumulate;
};

// The product of this block's rows, the first of which is first_row, with all tokens of the block.
template <class W>
__device__ inline void multiply(const Product& p, int first_row, const Activations& a, int m) {
  for_token_tiles(m, [&](int first, int count) {
    const float sum = multiply_tile<W>(p.weights, first_row, p.rows, a, first, count);
    const int row = first_row + tile_row();
    if (row >= p.rows || tile_token() >= count) return;
    float& y = p.y[static_cast<long>(first + tile_token()) * p.stride + row];
    y = p.accumulate ? y + sum : sum;
  });
}

// silu(gate . x) * (up . x) for this block's rows.
template <class W>
__device__ inline void multiply_gated(const void* gate, const void* up, int rows,
                                      const Activations& a, int m, float* out,
                                      const Q8Output& quantized) {
  __shared__ float values[kTile][kRows];
  const int first_row = static_cast<int>(blockIdx.x) * kRows;
  for_token_tiles(m, [&](int first, int count) {
    const float g = multiply_tile<W>(gate, first_row, rows, a, first, count);
    const float u = multiply_tile<W>(up, first_row, rows, a, first, count);
    const int row = first_row + tile_row();
    values[tile_token()][tile_row()] = silu(g) * u;
    if (out && row < rows && tile_token() < count) {
      out[static_cast<long>(first + tile_token()) * rows + row] = silu(g) * u;
    }
    __syncthreads();
    const int token = static_cast<int>(threadIdx.x);
    if (quantized.q && token < count) {
      store_q8(values[token], quantized, static_cast<long>(first + token) * rows + first_row);
    }
  });
}

}  // namespace greta
