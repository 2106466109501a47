// How streams wait for each other without being told to, and what a wait of the host for a stream
// covers: HIP's rules for streams, stated once.
//
// Timeline folds a whole trace by them. The recorder's watch (recorder/watch/flights.h) follows
// copies live, inside the program and under a lock; it uses the same rules but not the same fold,
// which needs the trace as a table, numbers all work and grows with it.
#pragma once

#include "order/generated/trace_enums.h"

namespace greta::order {

constexpr bool is_default(StreamKind kind) { return kind == StreamKind::legacy; }
constexpr bool is_blocking(StreamKind kind) {
  return kind == StreamKind::blocking || kind == StreamKind::per_thread;
}

// Of two streams of one device: does work that is submitted to `later` wait for all that was
// submitted to `earlier` before?
constexpr bool work_waits_for(StreamKind later, StreamKind earlier) {
  return is_default(later) ? is_blocking(earlier) : is_blocking(later) && is_default(earlier);
}

// Does a wait of the host for `waited` cover the work of `other` as well? Of a blocking stream it
// does not cover what was submitted to the default stream since.
constexpr bool host_wait_covers(StreamKind waited, StreamKind other) {
  return is_default(waited) && is_blocking(other);
}

}  // namespace greta::order
