// The conflicts that were found: the first of each group, and how many like it.
#pragma once

#include <cstddef>
#include <tuple>
#include <unordered_map>

#include "order/order.h"

namespace greta::order {

// A program that forgets to wait does so in each turn of its loop. What is the same memory, the
// same two streams and the same kind is one group; what is doubtful does not hide what is sure.
class ConflictList {
 public:
  ConflictList(greta_conflict* conflicts, int64_t capacity)
      : conflicts_(conflicts), capacity_(capacity) {}

  void add(const greta_conflict& conflict, uint32_t block, int32_t first_stream,
           int32_t second_stream, bool is_sure);
  void leave_off() { ++left_off_; }
  void write_counts(greta_summary& summary) const;

 private:
  struct Group {
    int32_t allocation, low_stream, high_stream;
    uint32_t block;
    uint8_t kind;
    bool is_sure;
    bool operator==(const Group& other) const {
      return std::tie(allocation, low_stream, high_stream, block, kind, is_sure) ==
             std::tie(other.allocation, other.low_stream, other.high_stream, other.block,
                      other.kind, other.is_sure);
    }
  };
  struct Hash {
    size_t operator()(const Group& group) const;
  };

  greta_conflict* conflicts_;
  int64_t capacity_;
  int64_t found_ = 0;
  int64_t repeats_ = 0;
  int64_t left_off_ = 0;
  std::unordered_map<Group, int64_t, Hash> groups_;
};

}  // namespace greta::order
