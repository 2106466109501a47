// Runs code that may fault: a memory fault, an illegal instruction or a trap inside the guarded
// function ends that function, not the process.
//
// Rules for guarded code: it is abandoned where it stands, so it must not hold a lock, own memory
// or be in the middle of malloc when it can fault. Kernels obey this by nature.
#pragma once

#include <type_traits>
#include <utility>

#include "device/fault_report.h"

namespace greta::sim {

// Calls function(argument) and returns what ended it; kind == none if it returned by itself.
// May be nested: a fault ends the innermost region. Works on any stack, fibers included, as long
// as the stack that called run_guarded is still there.
FaultReport run_guarded(void (*function)(void*), void* argument);

// run_guarded(callable): for lambdas.
template <typename Callable,
          typename = std::enable_if_t<std::is_invocable_v<std::remove_reference_t<Callable>&>>>
FaultReport run_guarded(Callable&& callable) {
  using Stored = std::remove_reference_t<Callable>;
  return run_guarded([](void* stored) { (*static_cast<Stored*>(stored))(); },
                     const_cast<void*>(static_cast<const void*>(&callable)));
}

// Ends the innermost guarded region of this thread from ordinary code. Destructors of the frames
// in between do not run. Outside any region it aborts the process with the message.
[[noreturn]] void raise_fault(FaultReport report);

bool inside_guarded_region();

// Makes the process's fault handlers ours, now or again: someone (Python's faulthandler, another
// library) may have replaced them since. What was there is called for faults outside guarded
// regions. Cheap (a few system calls); workers call it when they wake up from sleep. run_guarded
// does it once per process by itself.
void ensure_guard_installed();

}  // namespace greta::sim
