// Writes down that the program touched the host's side of a copy that was in flight.
#pragma once

#include <cstdint>

#include "recorder/watch/flights.h"

namespace greta::recorder {

void record_touch(const Flight& flight, uintptr_t address, bool write, uintptr_t site);

// A touch as the handler of its page fault knows it.
struct FaultingTouch {
  Flight flight;
  uintptr_t address;
  bool write;
  uintptr_t instruction;
  uintptr_t stack_pointer;
};
void record_from_handler(FaultingTouch& touch);

}  // namespace greta::recorder
