#include "recorder/watch/host_touch.h"

#include "recorder/hooks/own_calls.h"
#include "recorder/hooks/recorded_call.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/roomy_stack.h"
#include "recorder/sites/touch_site.h"

namespace greta::recorder {
namespace {

void record_faulting_touch(void* given) {
  const FaultingTouch& touch = *static_cast<const FaultingTouch*>(given);
  record_touch(touch.flight, touch.address, touch.write,
               touch_site(touch.instruction, touch.stack_pointer));
}

}  // namespace

void record_touch(const Flight& flight, uintptr_t address, bool write, uintptr_t site) {
  const ErrnoKeeper errno_keeper;
  RecordedCall call(kHostTouch, reinterpret_cast<const void*>(site), 0);
  if (!call) return;
  call.word(0) = address;
  call.word(1) = write ? 1 : 0;
  call.word(2) = flight.side.begin;
  call.word(3) = flight.side.end - flight.side.begin;
  call.word(4) = flight.lane;
  call.word(5) = flight.copy_begin;
  call.word(6) = flight.stream_handle;
  call.begin();
  call.finish(0);
}

void record_from_handler(FaultingTouch& touch) {
  // A program with no memory left for a stack loses the record; it must not die of us.
  static_cast<void>(run_on_roomy_stack(record_faulting_touch, &touch));
}

}  // namespace greta::recorder
