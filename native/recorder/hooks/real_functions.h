// Where the calls go: the functions of the HIP library that the caller would have reached.
//
// A process may have two such libraries, as when a Python package brings its own beside the
// machine's. A hook that the program is linked with finds the library by the code that calls it, as
// the loader would have; a hook that was asked for by dlsym belongs to one library (bound_hooks.h).
#pragma once

#include <atomic>
#include <string>

#include "recorder/hooks/bound_hooks.h"
#include "recorder/hooks/runtimes.h"
#include "recorder/lanes/thread_memory.h"
#include "recorder/lanes/thread_state.h"

namespace greta::recorder {

// Looks for it among the libraries of the route. If there is none, a function that fails.
AnyFunction find_real_function(Route& route, Call call);
Route& find_route(const void* site);
Route& program_route();
// The route of what an object is linked with.
Route& route_for(const std::vector<LoadedObject>& objects, size_t caller);
// What is found there under the call's names; null: nothing, or our own hook.
AnyFunction find_in(void* handle, const HookedCall& call);
AnyFunction find_along(const Route& route, const HookedCall& call);
Call call_named(const std::string& name);  // Call{}: none
// The hook that leads to this function of a HIP library; null if the library has no number.
AnyFunction bound_hook_to(AnyFunction real, const void* library, Call call);
// What was opened since the last time may have HIP libraries, and calls to them.
void look_at_opened_code();

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
// After dlclose.
void forget_unloaded_routes();
// In a forked child.
void forget_locks_of_routes();
// The hook in the place of what hipGetProcAddress has filled in.
void put_hook_in_place(void* place, const void* name);

}  // namespace greta::recorder
