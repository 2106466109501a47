// The numbers of greta.trace.trace, and rows that may be lies.
#pragma once

#include <cstdint>

#include "order/order.h"

namespace greta::order {

enum class Kind : uint8_t {
  other,
  copy,
  fill,
  launch,
  graph_launch,
  host_function,
  allocate,
  free,
  stream_create,
  stream_destroy,
  event_record,
  stream_wait_event,
  wait_stream,
  wait_event,
  wait_device,
  query_stream,
  query_event,
  host_touch,
  reset,
};
enum class Waits : uint8_t { no, for_it, for_device };
enum class Mode : uint8_t { read = 1, write = 2, may_write = 3 };
enum class Space : uint8_t { unknown, host, device };
enum class StreamKind : uint8_t { legacy, blocking, non_blocking, per_thread, unknown };
constexpr uint8_t role_source = 1;
constexpr uint8_t role_destination = 2;
constexpr uint8_t role_freed = 6;
constexpr uint8_t memory_pinned = 2;
constexpr uint8_t memory_registered = 3;
constexpr uint8_t memory_managed = 4;
constexpr uint8_t memory_pool = 5;

using Row = uint32_t;
constexpr Row none = UINT32_MAX;

inline Kind kind_of(const greta_operation& operation) { return static_cast<Kind>(operation.kind); }

// A call that had no effect: refused, or only written into a graph.
inline bool did_not_run(const greta_operation& operation) {
  return operation.failed != 0 || operation.captured != 0;
}

inline const greta_stream* stream_at(const greta_tables& tables, int64_t row) {
  return row >= 0 && row < tables.stream_count ? &tables.streams[row] : nullptr;
}

inline const greta_allocation* allocation_at(const greta_tables& tables, int64_t row) {
  return row >= 0 && row < tables.allocation_count ? &tables.allocations[row] : nullptr;
}

inline bool is_of_host(const greta_allocation& allocation) {
  return allocation.memory >= memory_pinned && allocation.memory <= memory_managed;
}

}  // namespace greta::order
