// A thread's lane: the file its records go to, mapped a segment at a time.
#pragma once

#include "recorder/thread_state.h"

namespace greta::recorder {

// Makes room for `records` in a row at t_state.next: opens the thread's lane, goes on to the next
// segment, or begins the ring anew. False if nothing is recorded (any more).
bool make_room(uint32_t records);

// In a forked child: its lanes are its parent's, and not to be touched.
void forget_lane();

}  // namespace greta::recorder
