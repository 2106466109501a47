// All captures that have begun and not ended, and the threads they belong to. Everything here is
// used with graph_lock held, except this_thread_number.
#pragma once

#include <cstdint>

#include "device/capture.h"

namespace greta::sim {

// Not used twice in a process, unlike the system's numbers.
uint64_t this_thread_number();

void register_capture(const CaptureRef& capture);
std::vector<CaptureRef> running_captures();
void invalidate(CaptureSequence& capture);

}  // namespace greta::sim
