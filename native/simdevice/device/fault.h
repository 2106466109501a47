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
#include <string>
#include <vector>

namespace greta::sim {

enum class FaultClass { illegal_access, trap, red_zone_damage };

struct FaultRecord {
  FaultClass what = FaultClass::illegal_access;
  std::string operation;          // "kernel", "copy", "fill", ...
  std::string kernel;             // empty if it was not a kernel
  std::string message;            // of a trap
  uint64_t operation_number = 0;  // counts all operations of the process in order of submission
  uintptr_t stream = 0;           // handle as the program knows it
  int device = 0;
  uintptr_t address = 0;
  bool address_known = false;
  bool is_write = false;
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> thread{};
  bool thread_known = false;
};

// Set once a fault has made the device unusable for this process.
bool device_lost();
// hipSuccess until then.
hipError_t process_error();

// A forked child has its parent's memory but none of the threads that do the work, and would wait
// for ever. Called when the first of them starts: children forked from then on get
// hipErrorNotInitialized from every call.
void refuse_forked_children();

// Remembers the fault; sets the process-wide error, or prints AMD's line and aborts. Red-zone
// damage is only remembered: hardware would not have noticed it either.
void report_fault(FaultRecord record);
std::vector<FaultRecord> reported_faults();

}  // namespace greta::sim
