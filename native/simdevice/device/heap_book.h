// What kernels have allocated by malloc and not freed, by where they did.
#pragma once

#include <cstdint>
#include <utility>

#include "device/fault.h"
#include "device/kernel.h"

namespace greta::sim {

// A launch whose kernel calls malloc and free. From many threads, in the order in which memory goes
// from one to the other: a block is freed before it is given back, allocated once it is there.
class HeapCaller {
 public:
  // `launched` is what a recorder is told of the launch.
  HeapCaller(const Kernel& kernel, FaultRecord launched);

  void allocated(uint64_t address, uint64_t bytes, uintptr_t instruction);
  void freed(uint64_t address);
  // Its kernel allocates, and the code does not say where.
  void set_unknown() { is_unknown_ = true; }
  bool is_unknown() const { return is_unknown_; }

 private:
  const Kernel& kernel_;
  const FaultRecord launched_;
  const uint64_t number_;
  bool is_unknown_ = false;
};

// Tells a recorder of the places where there is more or less than it was told.
void tell_heap();
// The device was reset: what was allocated is gone.
void forget_heap();

}  // namespace greta::sim
