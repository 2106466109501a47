// What must be over before something: at most one mark for each queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "order/trace_words.h"

namespace greta::order {

// A queue is what a stream's work is numbered in. A stream that is gone leaves its queue to a later
// one, once the host knows that all its work is done.
using Queue = uint32_t;

struct Mark {
  Queue queue = none;
  uint32_t index = 0;  // all work of that queue up to this number, from 1
  Row via = none;      // the operation that brought the order about
  uint8_t how = GRETA_UNORDERED;
};

using Marks = std::vector<Mark>;             // sorted by queue
using SharedMarks = std::shared_ptr<Marks>;  // changed only by who holds it alone; may be null

inline const Mark* find_mark(const Marks& marks, Queue queue) {
  auto found = std::lower_bound(marks.begin(), marks.end(), queue,
                                [](const Mark& mark, Queue key) { return mark.queue < key; });
  return found != marks.end() && found->queue == queue ? &*found : nullptr;
}

inline void raise_mark(Mark& mark, const Mark& other) {
  if (other.index > mark.index) mark = other;
}

// Both together, without those that `is_known` says the host knows anyway.
template <typename Known>
Marks joined(const Marks& left, const Marks& right, Known is_known) {
  Marks together;
  together.reserve(left.size() + right.size());
  auto take = [&](const Mark& mark) {
    if (!is_known(mark)) together.push_back(mark);
  };
  auto l = left.begin();
  auto r = right.begin();
  while (l != left.end() && r != right.end()) {
    if (l->queue < r->queue) {
      take(*l++);
    } else if (r->queue < l->queue) {
      take(*r++);
    } else {
      take(l->index >= r->index ? *l : *r);
      ++l, ++r;
    }
  }
  std::for_each(l, left.end(), take);
  std::for_each(r, right.end(), take);
  return together;
}

}  // namespace greta::order
