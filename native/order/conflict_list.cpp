#include "order/conflict_list.h"

#include <algorithm>

namespace greta::order {

size_t ConflictList::Hash::operator()(const Group& group) const {
  uint64_t hash = static_cast<uint32_t>(group.allocation);
  for (uint64_t part : {uint64_t(uint32_t(group.low_stream)), uint64_t(uint32_t(group.high_stream)),
                        uint64_t(group.block), uint64_t(group.kind), uint64_t(group.is_sure)}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

void ConflictList::add(const greta_conflict& conflict, uint32_t block, int32_t first_stream,
                       int32_t second_stream, bool is_sure) {
  Group group{conflict.allocation,
              std::min(first_stream, second_stream),
              std::max(first_stream, second_stream),
              block,
              conflict.kind,
              is_sure};
  auto known = groups_.find(group);
  if (known != groups_.end()) {
    ++conflicts_[known->second].repeats;
    ++repeats_;
  } else if (found_ < capacity_) {
    groups_.emplace(group, found_);
    conflicts_[found_++] = conflict;
  } else {
    ++left_off_;
  }
}

void ConflictList::write_counts(greta_summary& summary) const {
  summary.found = found_;
  summary.repeats = repeats_;
  summary.left_off = left_off_;
}

}  // namespace greta::order
