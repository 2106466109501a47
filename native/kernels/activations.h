// rmsnorm, quantize, quantize_k, silu_mul and add. A block is a row, except for add.
#pragma once

#include "kernels/exponential.h"
#include "kernels/quantization.h"
#include "simt/launch_abi.h"

namespace greta::kernels::GRETA_ISA {

// value(at, column): the vector at `at` of all rows, which is at `column` of its own.
template <class Value>
inline void store_row(long row, int width, float* out, const Q8Output& quantized, Value value) {
  for (int column = 0; column < width; column += kGroup) {
    Vec values[kGroupVecs];
    for (int i = 0; i < kGroupVecs; ++i) {
      const int at = column + i * Vec::kLanes;
      values[i] = value(row * width + at, at);
    }
    store_group(values, out, quantized, row * width + column);
  }
}

// Summed up in double precision, where the order does not matter to the result.
inline float mean_of_squares(const float* row, int width) {
  double sums[kGroup] = {};
  for (int column = 0; column < width; column += kGroup) {
    for (int i = 0; i < kGroup; ++i)
      sums[i] += static_cast<double>(row[column + i] * row[column + i]);
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  return static_cast<float>(sum / width);
}

inline void rmsnorm(const greta_simt_block& block, const RmsnormArguments& a) {
  const long row = block.block_index.x;
  const float mean = mean_of_squares(a.x + row * a.width, a.width);
  const Vec scale = broadcast(1.0f / __builtin_sqrtf(mean + a.eps));
  store_row(row, a.width, a.out, a.quantized,
            [&](long at, int column) { return load(a.x + at) * scale * load(a.weight + column); });
}

inline void quantize(const greta_simt_block& block, const QuantizeArguments& a) {
  store_row(block.block_index.x, a.width, nullptr, a.quantized,
            [&](long at, int) { return load(a.x + at); });
}

inline void quantize_k(const greta_simt_block& block, const QuantizeArguments& a) {
  constexpr int kVecs = kSuperGroup * kGroupVecs;
  const long row = static_cast<long>(block.block_index.x) * a.width;
  for (int column = 0; column < a.width; column += kSuperGroup * kGroup) {
    Vec values[kVecs];
    for (int i = 0; i < kVecs; ++i) values[i] = load(a.x + row + column + i * Vec::kLanes);
    store_q8_k(values, a.quantized, row + column);
  }
}

inline void silu_mul(const greta_simt_block& block, const SiluMulArguments& a) {
  store_row(block.block_index.x, a.width, a.out, a.quantized,
            [&](long at, int) { return silu(load(a.gate + at)) * load(a.up + at); });
}

inline void add(const greta_simt_block& block, const AddArguments& a) {
  const long begin = static_cast<long>(block.block_index.x) * block.block_dim.x;
  const long end = begin + block.block_dim.x < a.n ? begin + block.block_dim.x : a.n;
  for (long i = begin; i < end; ++i) a.x[i] += a.y[i];
}

}  // namespace greta::kernels::GRETA_ISA
