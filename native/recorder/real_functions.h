// Where the calls go: the functions of the HIP library that the caller would have reached.
//
// A process may have two such libraries, as when a Python package brings its own beside the
// machine's. A hook that the program is linked with finds the library by the code that calls it, as
// the loader would have; a hook that was asked for by dlsym belongs to one library (bound_hooks.h).
#pragma once

#include <atomic>
#include <string>

#include "recorder/bound_hooks.h"
#include "recorder/hook_table.h"
#include "recorder/thread_memory.h"
#include "recorder/thread_state.h"

namespace greta::recorder {

using AnyFunction = void (*)();

// The functions that calls from one place go to. Kept for good: threads use it at any time.
struct Route {
  std::atomic<AnyFunction> real[kHipCalls + 1] = {};
  std::atomic<uint32_t> runtime{0};  // number of the HIP library; kMostRuntimes: of one beyond
  // Whose dependencies are looked through; empty: the program's, and what was opened for all.
  std::string opened;
};

// Looks for it among the libraries of the route. If there is none, a function that fails.
AnyFunction find_real_function(Route& route, Call call);
Route& find_route(const void* site);
Route& route_of_runtime(uint32_t runtime);
Route& program_route();

inline Route& route_of(const void* site, const void* stack) {
  BoundCall& bound = greta_recorder_bound;
  if (bound.runtime != 0 && bound.stack == stack) {
    const uint64_t runtime = bound.runtime - 1;
    bound.runtime = 0;
    return route_of_runtime(static_cast<uint32_t>(runtime));
  }
  const auto page = reinterpret_cast<uintptr_t>(site) / kCallerPage;
  if (t_memory != nullptr) {
    const ThreadMemory::Caller& known = t_memory->callers[page % t_memory->callers.size()];
    if (known.page.load(std::memory_order_relaxed) == page) return *known.route;
  }
  return find_route(site);
}

inline AnyFunction function_of(Route& route, Call call) {
  const AnyFunction known = route.real[static_cast<uint32_t>(call)].load(std::memory_order_relaxed);
  return known != nullptr ? known : find_real_function(route, call);
}

// For a hook: by its return address, and where that lies.
inline AnyFunction real_function(Call call, const void* site, const void* stack) {
  Route& route = route_of(site, stack);
  t_state.route = &route;
  return function_of(route, call);
}

// Within a hook: another function of the library that the call goes to.
inline Route& current_route() {
  return t_state.route != nullptr ? *t_state.route : program_route();
}
inline AnyFunction real_function(Call call) { return function_of(current_route(), call); }

inline uint32_t current_runtime() {
  return t_state.route != nullptr ? t_state.route->runtime.load(std::memory_order_relaxed) : 0;
}
inline int32_t& current_device() { return t_state.devices[current_runtime()]; }
// A handle together with the library it is of: two libraries may number theirs alike.
inline uint64_t of_runtime(uint64_t handle) {
  return handle ^ uint64_t { current_runtime() } << 56;
}

// The hook for a function that dlsym has found; null if there is none for it.
AnyFunction hook_for(const char* name, AnyFunction real);
// The same for what code at `site` finds by dlsym(RTLD_DEFAULT), null: the program itself.
AnyFunction hook_for_name(const char* name, const void* site);
// And for dlsym(RTLD_NEXT) by code that was opened, and does not stand before HIP itself.
AnyFunction hook_for_next(const char* name, const void* site);
// Whether it is our own hook of that name.
bool is_hook(const char* name, AnyFunction function);
// Whether the code of a HIP library is around the address.
bool is_in_hip_library(const void* site);
// Writes where the libraries are, once they are known.
void write_library_entry();
// In a forked child, whose recording is another.
void forget_library();
// After dlclose.
void forget_unloaded_routes();
// The hook in the place of what hipGetProcAddress has filled in.
void put_hook_in_place(void* place, const void* name);

}  // namespace greta::recorder
