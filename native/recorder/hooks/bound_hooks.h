// Hooks that are bound to one HIP library: what dlsym and hipGetProcAddress give out. Whoever calls
// them, and from wherever, the call goes to the library whose function was asked for.
#pragma once

#include <cstdint>

#include "recorder/generated/calls.h"

namespace greta::recorder {

// HIP libraries whose functions get hooks of their own. A process has one, seldom two.
constexpr uint32_t kMostRuntimes = 4;

// What a bound hook leaves for the hook it jumps to.
struct BoundCall {
  const void* stack;  // where the return address lies: a signal handler may call in between
  uint64_t runtime;   // number of the library + 1; 0: the call was not made by a bound hook
};

using BoundHook = void (*)();
BoundHook bound_hook(uint32_t runtime, Call call);
bool is_bound_hook(uintptr_t function);

}  // namespace greta::recorder

extern "C" __attribute__((
    visibility("hidden"),
    tls_model("initial-exec"))) __thread greta::recorder::BoundCall greta_recorder_bound;
