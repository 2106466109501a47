// Who touched the bytes of an allocation last.
#pragma once

#include <map>

#include "order/marks.h"

namespace greta::order {

// How much of what a touch covers it is known to reach.
enum class Reach : uint8_t {
  all,    // every byte of its ranges: a transfer, or what the device noted
  whole,  // its whole buffer, which has but one element
  guess,  // some of its buffer, if it uses it at all
};

struct Touch {
  Row row = none;
  Row access = none;   // none: the allocation itself
  Queue queue = none;  // none: the host did it
  uint32_t index = 0;  // in its queue
  Mode mode = Mode::read;
  bool sole = false;     // the only memory that its kernel can write
  bool on_host = false;  // over when the call returns
  Reach reach = Reach::all;
  bool accesses = true;  // it is known to use the memory at all
  bool output = false;   // a kernel is known to write there, whatever was there before
};

// Some bytes that were always touched together.
struct Segment {
  uint64_t end = 0;
  Touch write;                // the last that surely wrote; row none: nobody that still matters
  std::vector<Touch> others;  // since then: the last of each queue that read, and that may write
  bool copied = false;        // a copy was the last that surely wrote
};

// Who may have put anything into a buffer since it was made.
struct Content {
  uint64_t begin = UINT64_MAX, end = 0;  // no byte outside of these was written
  std::vector<Touch> writers;            // the first of each queue
};

class Shadow {
 public:
  using Segments = std::map<uint64_t, Segment>;  // by first byte

  // Calls visit(first byte, segment) for all of [begin, end), of which every byte is then in some
  // segment that does not reach beyond. Returns how many there are.
  template <typename Visit>
  size_t visit(uint64_t begin, uint64_t end, Visit visit_segment) {
    size_t count = 0;
    auto next = split_before(begin);
    for (uint64_t at = begin; at < end; ++count) {
      if (next == segments_.end() || next->first > at) {
        uint64_t gap_end = next == segments_.end() ? end : std::min(end, next->first);
        next = segments_.emplace_hint(next, at, Segment{});
        next->second.end = gap_end;
      } else if (next->second.end > end) {
        split(next, end);
      }
      visit_segment(next->first, next->second);
      at = next->second.end;
      ++next;
    }
    return count;
  }

  // The segments of a range that are all the same now become one.
  void unite(uint64_t begin, uint64_t end);

  // Forgets what one operation did there.
  void forget(uint64_t begin, uint64_t end, Row row);

  Segments& segments() { return segments_; }

  // By announced block; 0: what is in none.
  std::map<uint32_t, Content> contents;

 private:
  Segments::iterator split_before(uint64_t address);
  void split(Segments::iterator segment, uint64_t address);

  Segments segments_;
};

}  // namespace greta::order
