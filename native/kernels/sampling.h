// argmax and advance.
#pragma once

#include "kernels/arguments.h"
#include "simt/launch_abi.h"

namespace greta::kernels::GRETA_ISA {

constexpr float kLowest = -3.402823466e38f;

// The largest of a row, as far as whole vectors go; a NaN is passed over.
inline float largest_in(const float* row, int count) {
  Vec most[4] = {broadcast(kLowest), broadcast(kLowest), broadcast(kLowest), broadcast(kLowest)};
  int i = 0;
  for (; i + 4 * Vec::kLanes <= count; i += 4 * Vec::kLanes) {
    for (int j = 0; j < 4; ++j) most[j] = larger(load(row + i + j * Vec::kLanes), most[j]);
  }
  float result = largest_of(larger(larger(most[0], most[1]), larger(most[2], most[3])));
  for (; i < count; ++i) result = row[i] > result ? row[i] : result;
  return result;
}

inline int first_index_of(const float* row, int count, float value) {
  for (int i = 0; i < count; ++i) {
    if (row[i] == value) return i;
  }
  return 0;
}

inline void argmax(const greta_simt_block& block, const ArgmaxArguments& a) {
  const float* row = a.logits + static_cast<long>(block.block_index.x) * a.vocab;
  a.token[block.block_index.x] = first_index_of(row, a.vocab, largest_in(row, a.vocab));
}

inline void advance(const greta_simt_block&, const AdvanceArguments& a) {
  for (int i = 0; i < a.n; ++i) a.pos[i] += a.step;
}

}  // namespace greta::kernels::GRETA_ISA
