// What kernels surely write: pointers through which one was once the first to write to memory.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "order/trace_words.h"

namespace greta::order {

// A kernel has nothing to read in memory that nobody has written to, and who used it next would
// have had nothing to read, either. What comes next must read there, and only that: before one that
// writes, the first may have looked at what it made no use of.
class Outputs {
 public:
  // `last`: the last operation that counts.
  Outputs(const greta_tables& tables, int64_t last);

  // For each access whether its kernel surely writes there.
  void mark(uint8_t* outputs);

 private:
  // Kernel and argument as one number. Negative: not known.
  using Pointer = int64_t;
  static constexpr Pointer unknown = -1;

  struct Story {  // of an allocation
    int64_t first_write = -1;
    Pointer writer = unknown;  // the one pointer of a kernel that wrote first, until the next use
    bool by_several = false;
    bool is_next = false;  // the operation at hand is the next to use it,
    bool reads = true;     // and only reads there
  };

  void take(const greta_access& access);
  void take_write(const greta_access& access, Story& story);
  void end_operation(int64_t row);
  bool may_be_led(const greta_access& access) const;
  Pointer pointer_of(const greta_access& access);
  const greta_operation* node_at(int32_t seq);

  const greta_tables& tables_;
  int64_t last_;
  std::vector<Story> stories_;
  std::vector<int32_t> used_next_;  // allocations that the operation at hand is the next to use
  std::unordered_set<Pointer> found_;
  int64_t led_by_memory_ = INT64_MIN;  // the last launch that may have taken a pointer from memory
  bool is_led_ = false;                // the operation at hand may be such a one
  int64_t symbol_written_ = -1;        // the first operation that wrote where a pointer may lie
  const greta_operation* last_node_ = nullptr;
};

}  // namespace greta::order
