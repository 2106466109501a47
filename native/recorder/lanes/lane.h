// A thread's lane: the file its records go to, mapped a segment at a time.
//
// Rules for editing (lane.h, lane.cpp, segment_ahead.cpp).
// - A lane is written by its own thread alone, and read by anybody at any time, also after a crash:
//   a segment is mapped and zero before the first record in it, and stays mapped until its thread
//   has left it.
// - A record and its continuations never cross the end of a segment or of a ring; what is left
// there
//   becomes filler. `written` grows after the records it counts, never before.
// - Nothing here may fail the program: no space means dropped calls, counted, and another try.
// - After an edit: tests/recorder (test_deaths, test_no_space, test_ring, test_threads,
//   test_descriptors) and tests/recording. What a version 1 reader would misread is a new
//   GRETA_RECORDING_VERSION; a field in reserved space is not (contract/recording.h).
#pragma once

#include "recorder/lanes/thread_state.h"

namespace greta::recorder {

// Makes room for `records` in a row at t_state.next: opens the thread's lane, goes on to the next
// segment, or begins the ring anew. False if nothing is recorded (any more).
bool make_room(uint32_t records);

// In a forked child: its lanes are its parent's, and not to be touched.
void forget_lane();

}  // namespace greta::recorder
