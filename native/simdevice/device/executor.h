// Runs kernel launches.
#pragma once

#include <cstdint>
#include <vector>

#include "device/dim3.h"
#include "device/fault_report.h"
#include "device/kernel.h"

namespace greta::sim {

// A cooperative launch keeps all its blocks alive at once, each on a thread of its own.
// More blocks than this: hipErrorCooperativeLaunchTooLarge, which the API decides.
constexpr uint64_t max_cooperative_blocks = 1024;

constexpr uint64_t max_block_threads = 1024;

class HeapCaller;

struct KernelLaunch {
  const Kernel* kernel = nullptr;
  Dim3 grid{1, 1, 1};   // in blocks
  Dim3 block{1, 1, 1};  // in threads
  uint32_t dynamic_shared_bytes = 0;
  const void* kernarg = nullptr;  // kernel->kernarg_bytes, alive until execute returns
  bool cooperative = false;
  int device = 0;
  // Whether an access outside of what is allocated ends it where only a check can tell.
  bool faults_outside = true;
  LaunchFootprint* footprint = nullptr;  // where it notes what it accesses, if that is asked for
  std::vector<FaultReport>* races = nullptr;  // where races go, if machine code is watched for them
  HeapCaller* heap = nullptr;  // who hears of malloc and free in machine code, if that is asked for
};

// Runs the launch to its end, on the calling thread and on other cores where that pays. Returns
// the first fault, with the kernel, block and (where known) thread it happened in; the remaining
// blocks are not started then. The launch must be valid: no dimension zero, at most
// max_block_threads threads in a block. Any number of threads may execute launches at once.
FaultReport execute(const KernelLaunch& launch);

}  // namespace greta::sim
