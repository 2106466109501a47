// Groups of 32 float weights, and what they are multiplied with.
#pragma once

#include "kernels/quantization.h"
#include "kernels/weight_types.h"

namespace greta::kernels::GRETA_ISA {

struct FloatSum {
  Vec lanes = zero();
};
template <class W>
inline void store_totals(const FloatSum& sum, float* to) {
  *to = sum_of(sum.lanes);
}

template <class W>
struct FloatChunk {
  using Sum = FloatSum;
  static constexpr int kRows = 1;
  Vec values[kGroupVecs];

  FloatChunk(const uint8_t* const* row, int group) {
    const uint8_t* block = block_of<W>(*row, group);
    for (int i = 0; i < kGroupVecs; ++i) values[i] = W::at(block, i * Vec::kLanes);
  }
};

template <class W>
struct FloatTokenChunk {
  Vec values[kGroupVecs];

  FloatTokenChunk() = default;
  FloatTokenChunk(const Activations& a, int cols, int token, int group) {
    const float* x = a.x + static_cast<long>(token) * cols + group * kGroup;
    for (int i = 0; i < kGroupVecs; ++i) values[i] = load(x + i * Vec::kLanes);
  }
};

template <class W>
inline void add(FloatSum& sum, const FloatChunk<W>& w, const FloatTokenChunk<W>& token) {
  for (int i = 0; i < kGroupVecs; ++i) {
    sum.lanes = multiply_add(w.values[i], token.values[i], sum.lanes);
  }
}

}  // namespace greta::kernels::GRETA_ISA
