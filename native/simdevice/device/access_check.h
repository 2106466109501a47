// Checked builds of kernels ask before every access whether the device may touch the address.
// The answer comes from the device's memory map, which registers itself here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greta::sim {

class AccessWindow;

// Memory around a checked address that the device may use in the same way.
struct AccessibleRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool writable = false;
  const AccessWindow* window = nullptr;  // where accesses to it are noted, if they are
};

// Says whether `device` may access [address, address + bytes). If it may, `around` may be filled
// with the whole range (the allocation) for which that holds, which lets the caller remember it;
// its caller initialises it to the asked bytes. Called from many threads at once, often.
using AccessChecker = bool (*)(int device, uintptr_t address, size_t bytes, bool write,
                               AccessibleRange* around);

// With no checker everything is allowed.
void set_access_checker(AccessChecker checker);

// What the checker says.
bool may_access(int device, uintptr_t address, size_t bytes, bool write, AccessibleRange* around);

// To be called after any change that takes memory away from a device (free, unmap, unregister):
// threads forget the ranges that they remembered.
void forget_accessible_ranges();
// Grows with every such change.
uint64_t accessible_generation();

}  // namespace greta::sim
