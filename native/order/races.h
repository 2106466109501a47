// Accesses to the same memory, one of them a write, that nothing orders.
#pragma once

#include <memory>

#include "order/conflict_list.h"
#include "order/shadow.h"
#include "order/timeline.h"

namespace greta::order {

class Races {
 public:
  Races(const greta_tables& tables, ConflictList& list);

  // May stop early: summary.rows says where.
  void fold(greta_summary& summary);

 private:
  struct Range {
    uint64_t begin, end;
  };
  struct Bounds {
    uint64_t address, bytes;
    bool known;
  };
  struct Candidate {
    Touch first;
    Touch second;
    int32_t allocation;
    Range range;
    uint8_t kind;
    bool copied;
    bool sure;
  };
  struct Passing {
    Row row;
    Range range;
  };

  void take(Row row);
  void take_accesses(Row row, int64_t begin, int64_t end);
  void take_access(Row row, Row access, bool sole);
  void take_range(const Touch& touch, int32_t allocation, Shadow& shadow, Range range);
  void take_allocation(Row row);
  void take_free(Row row);
  void note_if_the_host_may_poll(const greta_access& access);
  void count(Row row, const greta_access& access);
  Range access_rows(Row row);
  bool matters(Row row, const greta_access& access) const;
  Range clipped(const greta_access& access) const;
  Bounds bounds_of(const greta_access& access) const;
  bool is_at_start(const greta_access& access) const;
  Range perhaps_reached(const greta_access& access) const;
  void note_what_is_known(Touch& touch, const greta_access& access) const;
  bool covers(const Touch& touch, const Touch& other, int32_t allocation) const;
  bool contains(const Touch& touch, Range range) const;
  bool surely_meet(const Touch& first, const Touch& second, int32_t allocation);
  bool reads_what_nobody_else_wrote(const Touch& writer, const Touch& reader, int32_t allocation);
  bool history_is_known(int32_t allocation) const;
  template <typename Take>
  void for_contents(const Touch& touch, int32_t allocation, Take take);
  void note_content(const Touch& touch, const greta_access& access);
  void note_if_it_may_write_anywhere(const greta_access& access);
  Shadow& shadow_of(int32_t allocation);
  Touch touch_here(Row row, Row access, Mode mode) const;

  void compare(Segment& segment, uint64_t begin, const Touch& touch, int32_t allocation);
  void compare_with(const Touch& first, const Touch& second, const Segment& segment, uint64_t begin,
                    int32_t allocation);
  void update(Segment& segment, const Touch& touch) const;
  bool is_over_for_all(const Touch& touch) const;
  bool is_before(const Touch& touch);
  void report();
  bool leaves_no_doubt(const Candidate& candidate, uint8_t flags) const;
  uint32_t shared_block(const Candidate& candidate) const;
  uint8_t flags_of(const Candidate& candidate) const;
  void forget_passed();

  const greta_tables& tables_;
  ConflictList& list_;
  Timeline timeline_;
  const Position* position_ = nullptr;
  std::vector<std::unique_ptr<Shadow>> shadows_;
  Shadow outside_;                // host memory in no allocation
  std::vector<Passing> passing_;  // calls that touch it and had not returned
  std::vector<Candidate> candidates_;
  greta_summary counts_{};
  int64_t next_access_ = 0;
  int64_t led_by_memory_ = -1;       // the last launch that may have taken a pointer from memory
  bool is_led_ = false;              // this one may take one
  bool has_written_symbol_ = false;  // where a pointer may lie
  int64_t visits_left_;
};

}  // namespace greta::order
