// Whether this is still the process that the recording is of. pthread_atfork tells of most forks,
// but not of those by _Fork, clone or a bare system call.
#pragma once

#include <cstdint>

namespace greta::recorder {

// On a page that the kernel clears in a child.
extern const uint32_t* g_same_process;

inline bool is_same_process() { return __builtin_expect(*g_same_process != 0, 1); }

// From the start of a recording on.
void watch_for_forks();

}  // namespace greta::recorder
