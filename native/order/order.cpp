// The C functions of order.h.
#include "order/order.h"

#include <new>

#include "order/alike.h"
#include "order/completion.h"
#include "order/outputs.h"
#include "order/pairs.h"
#include "order/races.h"

namespace {

using namespace greta::order;

bool fits(const greta_tables& tables) {
  for (int64_t count : {tables.operation_count, tables.access_count, tables.allocation_count,
                        tables.stream_count, tables.block_count}) {
    if (count < 0 || count >= INT32_MAX) return false;
  }
  return true;
}

// No exception may cross into C.
template <typename Action>
int guarded(const greta_tables& tables, Action action) {
  if (!fits(tables)) return GRETA_TOO_MANY_ROWS;
  try {
    action();
  } catch (const std::bad_alloc&) {
    return GRETA_NO_MEMORY;
  } catch (const TooMuchWork&) {
    // What could be answered has been.
  }
  return GRETA_DONE;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) uint32_t greta_order_checksum(void) {
  return GRETA_TABLES_CHECKSUM;
}

__attribute__((visibility("default"))) int greta_order_conflicts(const greta_tables* tables,
                                                                 greta_conflict* conflicts,
                                                                 int64_t capacity,
                                                                 greta_summary* summary) {
  *summary = {};
  return guarded(*tables, [&] {
    ConflictList list(conflicts, capacity);
    Races(*tables, list).fold(*summary);
  });
}

__attribute__((visibility("default"))) int greta_order_pairs(const greta_tables* tables,
                                                             greta_pair* pairs, int64_t count) {
  return guarded(*tables, [&] { PairAnswers(*tables, pairs, count).answer(); });
}

__attribute__((visibility("default"))) int greta_order_completion(const greta_tables* tables,
                                                                  int64_t* known_by,
                                                                  int64_t* streams) {
  return guarded(*tables, [&] { Completion(*tables, known_by, streams).answer(); });
}

__attribute__((visibility("default"))) int greta_order_alike(const greta_tables* tables,
                                                             int64_t first, int64_t count,
                                                             int64_t last, uint32_t* kinds,
                                                             int64_t* firsts, uint8_t* meets,
                                                             int64_t* found) {
  *found = 0;
  return guarded(*tables, [&] {
    if (first < 0 || count < 0 || count > tables->access_count - first) return;
    *found = Alike(*tables, last).sort(first, count, kinds, firsts, meets);
  });
}

__attribute__((visibility("default"))) int greta_order_outputs(const greta_tables* tables,
                                                               int64_t last, uint8_t* outputs) {
  return guarded(*tables, [&] { Outputs(*tables, last).mark(outputs); });
}
}
