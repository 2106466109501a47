// Comparing ranges whose numbers may be lies.
#pragma once

#include <cstdint>

namespace greta::codeobject {

// [inner, inner + inner_size) within [outer, outer + outer_size), without overflow.
constexpr bool lies_within(uint64_t inner, uint64_t inner_size, uint64_t outer,
                           uint64_t outer_size) {
  return inner >= outer && inner - outer <= outer_size &&
         inner_size <= outer_size - (inner - outer);
}

}  // namespace greta::codeobject
