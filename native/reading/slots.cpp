// The slots of a lane.
#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr uint32_t nothing_yet = 0;

bool is_call(const greta_record& slot) {
  return slot.call != nothing_yet && slot.call != GRETA_CALL_MORE;
}

}  // namespace

GRETA_EXPORTED uint32_t greta_reading_checksum(void) { return GRETA_TABLES_CHECKSUM; }

GRETA_EXPORTED void greta_reading_look(const greta_record* slots, const int64_t* numbers,
                                       int64_t count, int64_t last, int64_t more,
                                       greta_slots_seen* seen) {
  *seen = {0, 0, -1, count > 0};
  for (int64_t at = 0; at < count; ++at) {
    if (slots[at].call == nothing_yet) {
      seen->in_order = 0;
      continue;
    }
    seen->filled = at + 1;
    if (!is_call(slots[at])) continue;
    if (numbers[at] - last - 1 != more) seen->in_order = 0;
    last = numbers[at];
    more = slots[at].more;
    seen->last = at;
    ++seen->calls;
  }
  if (count > 0 && numbers[count - 1] - last > more) seen->in_order = 0;
}

GRETA_EXPORTED void greta_reading_scan(const greta_record* slots, const int64_t* numbers,
                                       int64_t count, const greta_scan* columns) {
  int64_t row = 0;
  for (int64_t at = 0; at < count; ++at) {
    const greta_record& slot = slots[at];
    if (!is_call(slot)) continue;
    columns->index[row] = numbers[at];
    columns->call[row] = slot.call;
    columns->more[row] = slot.more;
    columns->flags[row] = slot.flags;
    columns->result[row] = slot.result;
    columns->begin[row] = slot.begin;
    columns->end[row] = slot.end;
    ++row;
  }
}
