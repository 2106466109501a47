// Accesses that no check can tell apart: a long run does the same again and again.
#pragma once

#include <cstdint>

#include "order/order.h"

namespace greta::order {

class Alike {
 public:
  // `last`: the last operation that counts.
  Alike(const greta_tables& tables, int64_t last) : tables_(tables), last_(last) {}

  // Sorts the accesses from `first` on into kinds: to each its number, to each kind its first
  // access, in order, and whether that meets one beside it. Returns how many kinds there are.
  int64_t sort(int64_t first, int64_t count, uint32_t* kinds, int64_t* firsts, uint8_t* meets);

 private:
  uint8_t flags_of(int64_t row, bool meets) const;
  bool meet(int64_t row, int64_t other) const;

  const greta_tables& tables_;
  int64_t last_;
};

}  // namespace greta::order
