// The process-wide GPU error, and what really happened.
//
// As on hardware from HIP 7 on, the first fault of any kernel or copy becomes an error of the whole
// process, for all devices and threads, for good. HIP tells a program only the error's code. The
// device keeps the rest, and gives it through gretaSimGetFaults (hip/greta_sim.h) to tests that
// compare a diagnosis with the truth.
#pragma once

#include <hip/hip_runtime_api.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/address_space.h"
#include "device/fault_report.h"
#include "device/footprint.h"

namespace greta::sim {

// Only the first two end anything: hardware would not have noticed the others either.
enum class FaultClass {
  illegal_access,
  trap,
  red_zone_damage,
  outside,
  race,
  barrier,
  unwatched,
  approximate,
  heap
};

struct FaultRecord {
  FaultClass what = FaultClass::illegal_access;
  std::string operation;          // "kernel", "copy", "fill", ...
  std::string kernel;             // empty if it was not a kernel
  std::string message;            // of a trap
  uint64_t operation_number = 0;  // counts all operations of the process in order of submission
  uintptr_t stream = 0;           // handle as the program knows it
  int device = 0;
  uintptr_t address = 0;
  size_t bytes = 0;  // 0: not known
  bool address_known = false;
  AccessKind access = AccessKind::read;
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> thread{};
  bool block_known = false;
  bool thread_known = false;
  Span allocation;    // where the memory is known that it is about; else the nearest is told
  greta_call call{};  // that submitted the work, if it is recorded
  greta_call node{};
  // Where in which code it happened; by the addresses of the file.
  std::shared_ptr<const std::vector<unsigned char>> code;
  uint64_t instruction = 0;
  std::vector<greta_side> sides;
  uint64_t count = 0;  // of blocks of the heap
  MemorySpace space = MemorySpace::global;
  std::string variable;  // that the allocation is
};

// Set once a fault has made the device unusable for this process.
bool device_lost();
// hipSuccess until then.
hipError_t process_error();

// A forked child has its parent's memory but none of the threads that do the work, and would wait
// for ever. Called when the first of them starts: children forked from then on get
// hipErrorNotInitialized from every call.
void refuse_forked_children();

// Remembers the fault and tells a recorder; sets the process-wide error, or prints AMD's line and
// aborts, unless it is of a class that ends nothing.
void report_fault(FaultRecord record);
std::vector<FaultRecord> reported_faults();

}  // namespace greta::sim
