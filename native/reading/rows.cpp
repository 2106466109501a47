// Rows of a trace.
#include <algorithm>
#include <cmath>

#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr int32_t none = -1;
constexpr int32_t success = 0;
constexpr int32_t not_ready = 600;  // the usual answer of a query

// Finds names; calls come in runs of the same few.
class Names {
 public:
  explicit Names(const greta_names& names) : names_(names) {}

  int32_t place_of(uint32_t id) {
    if (id == last_id_ && last_place_ != unset) return last_place_;
    const int64_t* end = names_.ids + names_.count;
    const int64_t* found = std::lower_bound(names_.ids, end, int64_t{id});
    last_id_ = id;
    last_place_ = found != end && *found == id ? static_cast<int32_t>(found - names_.ids) : none;
    return last_place_;
  }

 private:
  static constexpr int32_t unset = -2;
  const greta_names& names_;
  uint32_t last_id_ = 0;
  int32_t last_place_ = unset;
};

// As greta.recording.header.Clock has it.
int64_t nanoseconds(const greta_calls& calls, uint64_t ticks) {
  auto since_start = static_cast<int64_t>(ticks - calls.start_ticks);
  if (calls.ns_per_tick == 1.0) return since_start;
  double scaled = std::nearbyint(static_cast<double>(since_start) * calls.ns_per_tick);
  return static_cast<int64_t>(std::min(std::max(scaled, -calls.farthest_ns), calls.farthest_ns));
}

}  // namespace

GRETA_EXPORTED void greta_reading_operations(const greta_calls* calls,
                                             greta_operation* operations) {
  Names call_names(calls->calls), kernel_names(calls->kernels);
  for (int64_t number = 0; number < calls->count; ++number) {
    const greta_record& record = calls->records[number];
    int64_t at = calls->places[number];
    greta_operation& row = operations[at];
    bool finished = (record.flags & GRETA_FINISHED) != 0;
    row.seq = static_cast<int32_t>(calls->seqs[at]);
    row.finished = finished;
    row.failed = finished && record.result != success && record.result != not_ready;
    row.result = record.result;
    row.thread = static_cast<int32_t>(calls->threads[at]);
    row.device = static_cast<int16_t>(calls->devices[at]);
    row.call = call_names.place_of(record.call);
    row.kernel = kernel_names.place_of(record.kernel);
    row.begin = nanoseconds(*calls, record.begin);
    row.end = finished ? nanoseconds(*calls, record.end) : 0;
    row.stream = row.event = row.allocation = row.start_event = none;
  }
}

GRETA_EXPORTED int greta_reading_accesses(const greta_piece* pieces, int64_t piece_count,
                                          int64_t first, int64_t operations, greta_access* sorted,
                                          int64_t* starts) {
  std::fill(starts, starts + operations, 0);
  for (int64_t piece = 0; piece < piece_count; ++piece) {
    for (int64_t at = 0; at < pieces[piece].count; ++at) {
      int64_t place = pieces[piece].rows[at].operation - first;
      if (place < 0 || place >= operations) return 0;
      ++starts[place];
    }
  }
  int64_t total = 0;
  for (int64_t place = 0; place < operations; ++place) {
    int64_t count = starts[place];
    starts[place] = total;
    total += count;
  }
  for (int64_t piece = 0; piece < piece_count; ++piece) {
    for (int64_t at = 0; at < pieces[piece].count; ++at) {
      const greta_access& row = pieces[piece].rows[at];
      sorted[starts[row.operation - first]++] = row;
    }
  }
  // Each start has become the next one's.
  std::copy_backward(starts, starts + std::max<int64_t>(operations - 1, 0), starts + operations);
  if (operations > 0) starts[0] = 0;
  return 1;
}

GRETA_EXPORTED int64_t greta_reading_copies(const greta_copies* copies, const greta_access* rows,
                                            const int64_t* row_of_model, const uint8_t* fits,
                                            const int64_t* found, int64_t first,
                                            greta_access* made) {
  int64_t count = 0;
  for (int64_t at = 0; at < copies->count; ++at) {
    int64_t row = row_of_model[copies->models[at]];
    if (row < 0 || fits[at] == 0) continue;
    greta_access& copy = made[count++];
    copy = rows[row];
    copy.operation = static_cast<int32_t>(first + copies->places[at]);
    copy.origin = static_cast<int32_t>(copies->seqs[at]);
    if (copy.allocation >= 0) copy.allocation = static_cast<int32_t>(found[at]);
  }
  return count;
}
