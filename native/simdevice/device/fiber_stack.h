// Stacks for fibers: many, cheap, kept for reuse, with an inaccessible guard below each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::sim {

struct FiberStack {
  uintptr_t guard = 0;  // [guard, low) is not accessible
  uintptr_t low = 0;    // [low, high) is the stack
  uintptr_t high = 0;

  bool contains(uintptr_t address) const { return address - low < high - low; }
  bool guards(uintptr_t address) const { return address - guard < low - guard; }
};

// 64 KiB each, or what GRETA_SIM_STACK_KIB says. Ends the process if there is no memory left.
FiberStack acquire_fiber_stack();
void release_fiber_stack(const FiberStack& stack);

}  // namespace greta::sim
