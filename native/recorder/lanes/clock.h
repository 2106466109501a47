// The recorder's clock: the CPU's time stamp counter where it is fit for it, else the system's.
#pragma once

#include <time.h>
#include <x86intrin.h>

#include <cstdint>

namespace greta::recorder {

// Decided once, before the first record: whether the counter runs evenly and is the same for all
// cores, by what the kernel says of it.
bool counter_is_fit();

inline uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Set before the first record and not changed after it.
extern bool g_ticks_are_counter;

// At the beginning of a call: not before what the thread did until now. Without the fence the CPU
// may read the counter while it still waits for a lock that another thread holds, and the two
// threads' calls would seem to overlap.
inline uint64_t ticks_after_all_before() {
  if (!g_ticks_are_counter) return monotonic_ns();
  _mm_lfence();
  return __rdtsc();
}

inline uint64_t ticks() { return g_ticks_are_counter ? __rdtsc() : monotonic_ns(); }

}  // namespace greta::recorder
