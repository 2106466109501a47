// What went wrong in a kernel, or in any other code that ran under the guard.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/address_space.h"
#include "device/dim3.h"
#include "device/footprint.h"

namespace greta::sim {

enum class FaultKind : uint8_t {
  none,
  illegal_address,  // hipErrorIllegalAddress: memory that is not there, or not the device's
  trap,             // hipErrorLaunchFailure: trap, illegal instruction, failed assert, deadlock
  stack_overflow,   // hipErrorLaunchFailure: a thread used more private memory than it has
};

// What an address counts from.
enum class MemorySpace : uint8_t { global, shared, thread_private };

// One of the two threads of a race or a barrier.
struct FaultSide {
  bool accesses = false;
  AccessKind access = AccessKind::read;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uintptr_t instruction = 0;  // 0: not known
};

struct FaultReport {
  FaultKind kind = FaultKind::none;

  // The access that failed. An address is not always known: the CPU does not report it for a
  // misaligned vector access or a non-canonical address.
  uintptr_t address = 0;
  bool address_known = false;
  AccessKind access = AccessKind::read;
  size_t bytes = 0;  // 0: not known
  MemorySpace space = MemorySpace::global;
  size_t space_bytes = 0;  // of shared or private memory

  uintptr_t instruction = 0;  // where in the code; 0 when a service raised the fault
  std::string message;        // one sentence, no final newline

  // Where in the launch; filled in by execute(). A fault inside the whole-block loop does not
  // tell which thread of the block it was, hence thread_known.
  std::string kernel;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  bool block_known = false;
  bool thread_known = false;

  // Of what ends nothing.
  std::vector<FaultSide> sides;
  bool is_barrier = false;  // the first of them waits at a barrier, which the second does not reach
  std::string variable;     // what the address is in, if that is no allocation
  Span variable_bytes;

  explicit operator bool() const { return kind != FaultKind::none; }
};

}  // namespace greta::sim
