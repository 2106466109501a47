// Where the calls go: the functions of the HIP library that the program would have called.
#pragma once

#include <atomic>

#include "recorder/hook_table.h"

namespace greta::recorder {

using AnyFunction = void (*)();

extern std::atomic<AnyFunction> g_real[kHipCalls + 1];

// Looks for it among the libraries the program has loaded. If there is none, a function that fails.
AnyFunction find_real_function(Call call);

inline AnyFunction real_function(Call call) {
  const AnyFunction known = g_real[static_cast<uint32_t>(call)].load(std::memory_order_relaxed);
  return known != nullptr ? known : find_real_function(call);
}

// The hook of that name if there is one, and where it is to forward to from now on. Null if `real`
// is of another HIP library than the one whose calls are recorded.
AnyFunction hook_for(const char* name, AnyFunction real);
// Whether it is our own hook of that name, and whether there is anything behind it.
bool is_hook(const char* name, AnyFunction function);
bool has_real_function(const char* name);
// Writes where the library is, once it is known.
void write_library_entry();
// In a forked child, whose recording is another.
void forget_library();
// The same for hipGetProcAddress, which fills in `*place`.
void put_hook_in_place(void* place, const void* name);

}  // namespace greta::recorder
