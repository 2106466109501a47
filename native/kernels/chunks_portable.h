// Groups of 32 quantized weights, in plain C++ by the kernels' own description of the layouts.
#pragma once

#include "kernels/blocks.h"
#include "kernels/float_chunks.h"

namespace greta::kernels::portable {

// The description that belongs to a type.
template <class W>
struct Layout;
#define GRETA_LAYOUT(name)    \
  template <>                 \
  struct Layout<name> {       \
    using type = greta::name; \
  };
GRETA_LAYOUT(q8_0)
GRETA_LAYOUT(q4_0)
GRETA_LAYOUT(q4_1)
GRETA_LAYOUT(q5_0)
GRETA_LAYOUT(q5_1)
GRETA_LAYOUT(q4_k)
GRETA_LAYOUT(q5_k)
GRETA_LAYOUT(q6_k)
#undef GRETA_LAYOUT

struct QuantizedSum {
  Vec lanes = zero();
  float offset = 0;
};
template <class W>
inline void store_totals(const QuantizedSum& sum, float* to) {
  *to = sum_of(sum.lanes) + sum.offset;
}

template <class W>
struct QuantizedChunk {
  using Sum = QuantizedSum;
  static constexpr int kRows = 1;
  greta::QuantizedGroup group;

  QuantizedChunk(const uint8_t* const* row, int index) {
    greta::read_group<typename Layout<W>::type>(*row, index, group);
  }
};

template <class W>
struct QuantizedTokenChunk {
  const int8_t* q;
  float d, s;

  QuantizedTokenChunk() = default;
  QuantizedTokenChunk(const Activations& a, int cols, int token, int group) {
    const long at = static_cast<long>(token) * (cols / kGroup) + group;
    q = a.q + at * kGroup;
    d = a.d[at];
    s = a.s[at];
  }
};

template <class W>
inline void add(QuantizedSum& sum, const QuantizedChunk<W>& w,
                const QuantizedTokenChunk<W>& token) {
  for (int lane = 0; lane < Vec::kLanes; ++lane) {
    int products = 0;
    for (int i = 4 * lane; i < 4 * lane + 4; ++i) products += w.group.code[i] * token.q[i];
    sum.lanes.lane[lane] += w.group.scale[lane / 4] * token.d * static_cast<float>(products);
  }
  sum.offset += w.group.offset * token.s;
}

}  // namespace greta::kernels::portable
