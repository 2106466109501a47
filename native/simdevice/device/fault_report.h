// What went wrong in a kernel, or in any other code that ran under the guard.
#pragma once

#include <cstdint>
#include <string>

#include "device/dim3.h"
#include "device/footprint.h"

namespace greta::sim {

enum class FaultKind : uint8_t {
  none,
  illegal_address,  // hipErrorIllegalAddress: memory that is not there, or not the device's
  trap,             // hipErrorLaunchFailure: trap, illegal instruction, failed assert, deadlock
  stack_overflow,   // hipErrorLaunchFailure: a thread used more private memory than it has
};

struct FaultReport {
  FaultKind kind = FaultKind::none;

  // The access that failed. An address is not always known: the CPU does not report it for a
  // misaligned vector access or a non-canonical address.
  uintptr_t address = 0;
  bool address_known = false;
  AccessKind access = AccessKind::read;
  size_t bytes = 0;  // 0: not known

  uintptr_t instruction = 0;  // where in the code; 0 when a service raised the fault
  std::string message;        // one sentence, no final newline

  // Where in the launch; filled in by execute(). A fault inside the whole-block loop does not
  // tell which thread of the block it was, hence thread_known.
  std::string kernel;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  bool block_known = false;
  bool thread_known = false;

  explicit operator bool() const { return kind != FaultKind::none; }
};

}  // namespace greta::sim
