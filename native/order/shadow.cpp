#include "order/shadow.h"

namespace greta::order {

// The first segment that ends after `address`, which is then not inside of any.
Shadow::Segments::iterator Shadow::split_before(uint64_t address) {
  auto next = segments_.upper_bound(address);
  if (next == segments_.begin()) return next;
  auto previous = std::prev(next);
  if (previous->second.end <= address) return next;
  if (previous->first == address) return previous;
  split(previous, address);
  return std::next(previous);
}

void Shadow::split(Segments::iterator segment, uint64_t address) {
  Segment right = segment->second;
  segment->second.end = address;
  segments_.emplace_hint(std::next(segment), address, std::move(right));
}

void Shadow::unite(uint64_t begin, uint64_t end) {
  auto first = segments_.find(begin);
  if (first == segments_.end()) return;
  segments_.erase(std::next(first), segments_.lower_bound(end));
  first->second.end = end;
}

void Shadow::forget(uint64_t begin, uint64_t end, Row row) {
  auto is_it = [row](const Touch& touch) { return touch.row == row; };
  auto segment = segments_.lower_bound(begin);
  while (segment != segments_.end() && segment->first < end) {
    Segment& what = segment->second;
    if (is_it(what.write)) what.write = Touch{};
    what.others.erase(std::remove_if(what.others.begin(), what.others.end(), is_it),
                      what.others.end());
    bool is_empty = what.write.row == none && what.others.empty();
    segment = is_empty ? segments_.erase(segment) : std::next(segment);
  }
}

}  // namespace greta::order
