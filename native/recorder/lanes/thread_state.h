// What the recorder keeps per thread, where a hook can reach it with one instruction.
#pragma once

#include <cstdint>

#include "contract/recording.h"
#include "recorder/hooks/bound_hooks.h"

namespace greta::recorder {

// Where a thread is: in the program, in the recorder, or in a function of the HIP library that a
// hook has called.
enum class Phase : uint32_t { program, recorder, library };

struct Route;

struct ThreadState {
  // Where the next record goes, and where its segment of the lane ends. Null: no lane yet.
  greta_record* next;
  greta_record* limit;
  greta_lane* lane;
  Phase phase;
  uintptr_t outermost_frame;  // of the first call under way
  uint32_t annotation;
  uint64_t call_begin;                 // of the record of the call under way, or of the last
  Route* route;                        // of the call under way, or of the last
  int32_t devices[kMostRuntimes + 1];  // every HIP library has a current one
  uint32_t lane_number;
  uint64_t ring_records;  // 0: the lane grows
  greta_record* segment;
  uint64_t segment_bytes;
  uint64_t segment_offset;  // in the file
};

// initial-exec: the recorder is there from the start of the process. __thread: unlike thread_local,
// nobody asks at every use whether it has to be initialized.
extern __attribute__((tls_model("initial-exec"))) __thread ThreadState t_state;

}  // namespace greta::recorder
