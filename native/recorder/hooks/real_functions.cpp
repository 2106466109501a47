#include "recorder/hooks/real_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recorder/hooks/caller_scope.h"
#include "recorder/hooks/dlopen_hook.h"
#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/linked_calls.h"
#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/held_signals.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/same_process.h"
#include "recorder/lanes/tables.h"

// No lock is held while the loader is asked for anything: a thread may hold the loader's own lock,
// in the constructor of a library, and call HIP.
namespace greta::recorder {
namespace {

constexpr int kNotSupported = 801;  // hipErrorNotSupported

// For a call that the library does not have. Without the recorder the program would not have been
// loaded, or would have found null.
int fails() { return kNotSupported; }
void* finds_nothing() { return nullptr; }

struct Caller {
  Code code;
  Route* route;
  Caller* next;
};

struct Routes {
  std::mutex mutex;
  Route program;
  std::vector<Route*> opened;  // with the lock
  std::atomic<Caller*> callers{nullptr};
  std::atomic<uint64_t> unloads{0};
};

Routes& routes() {
  static Routes* const instance = new Routes;
  return *instance;
}

// A library that was loaded into a scope of its own (as Python loads its modules) is not among
// those RTLD_NEXT looks through.
std::string first_loaded_library() {
  for (const LoadedObject& object : loaded_objects()) {
    if (is_named_as_hip(object)) return object.path;
  }
  return "";
}

AnyFunction look_up(void* handle, const HookedCall& call) {
  void* found = real_dlsym()(handle, call.name);
  if (found == nullptr && call.second_name != nullptr) {
    found = real_dlsym()(handle, call.second_name);
  }
  const auto function = reinterpret_cast<AnyFunction>(found);
  return function != call.hook ? function : nullptr;
}

struct Found {
  AnyFunction function = nullptr;
  const void* library = nullptr;
};

Found look_in(void* handle, const HookedCall& call) {
  Found found{look_up(handle, call), nullptr};
  if (found.function != nullptr) found.library = hip_library_behind(handle);
  if (found.library == nullptr) found.library = library_of(found.function);
  return found;
}

Found look_along(const Route& route, const HookedCall& call) {
  if (!route.opened.empty()) {
    const Opened opened(route.opened);
    if (opened.handle() != nullptr) return look_in(opened.handle(), call);
  }
  if (const Found found = look_in(RTLD_NEXT, call); found.function != nullptr) return found;
  const Opened opened(first_loaded_library());
  return opened.handle() != nullptr ? look_in(opened.handle(), call) : Found{};
}

const std::unordered_map<std::string_view, uint32_t>& calls_by_name() {
  static const auto* const index = [] {
    auto* made = new std::unordered_map<std::string_view, uint32_t>;
    for (uint32_t i = 0; i < kHipCalls; ++i) {
      made->emplace(kHooked[i].name, i + 1);
      if (kHooked[i].second_name != nullptr) made->emplace(kHooked[i].second_name, i + 1);
    }
    return made;
  }();
  return *index;
}

// --- whose calls go where ------------------------------------------------------------------------

// The program's route leads to what stood before the caller was loaded; what was opened for all
// after that is not what the caller was linked with.
bool goes_by_program(const std::vector<LoadedObject>& objects, size_t caller) {
  const void* library = hip_library_behind(RTLD_NEXT);
  if (library == nullptr) return false;
  for (size_t i = 0; i <= caller; ++i) {
    if (reinterpret_cast<const void*>(objects[i].base) == library) return true;
  }
  return false;
}

Route& route_opened_with(const std::string& path) {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(routes().mutex);
  for (Route* route : routes().opened) {
    if (route->opened == path) return *route;
  }
  auto* route = new Route;
  route->opened = path;
  routes().opened.push_back(route);
  return *route;
}

size_t object_around(const std::vector<LoadedObject>& objects, uintptr_t address) {
  size_t i = 0;
  while (i < objects.size() && !objects[i].code.contains(address)) ++i;
  return i;
}

Caller* known_caller(uintptr_t address) {
  Caller* caller = routes().callers.load(std::memory_order_acquire);
  while (caller != nullptr && !caller->code.contains(address)) caller = caller->next;
  return caller;
}

void keep_caller(Code code, Route* route) {
  auto* caller = new Caller{code, route, routes().callers.load(std::memory_order_relaxed)};
  while (!routes().callers.compare_exchange_weak(caller->next, caller)) {
  }
}

void remember(uintptr_t address, Route* route) {
  if (t_memory == nullptr) return;
  const uintptr_t page = address / kCallerPage;
  ThreadMemory::Caller& place = t_memory->callers[page % t_memory->callers.size()];
  place.page.store(0, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place.route = route;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place.page.store(page, std::memory_order_relaxed);
}

}  // namespace

Route& program_route() { return routes().program; }

Route& route_for(const std::vector<LoadedObject>& objects, size_t caller) {
  if (goes_by_program(objects, caller)) return program_route();
  const LoadedObject& first = opened_with(objects, caller);
  if (first.path.empty()) return program_route();
  const Opened opened(first.path);
  if (opened.handle() == nullptr) return program_route();
  const void* library = hip_library_behind(opened.handle());
  return library != nullptr ? route_opened_with(first.path) : program_route();
}

AnyFunction find_in(void* handle, const HookedCall& call) { return look_up(handle, call); }
AnyFunction find_along(const Route& route, const HookedCall& call) {
  return look_along(route, call).function;
}

Call call_named(const std::string& name) {
  const auto found = calls_by_name().find(name);
  return found != calls_by_name().end() ? static_cast<Call>(found->second) : Call{};
}

AnyFunction bound_hook_to(AnyFunction real, const void* library, Call call) {
  const uint32_t runtime = runtime_number(library);
  if (runtime == kMostRuntimes) return nullptr;
  route_of_runtime(runtime).real[static_cast<uint32_t>(call)].store(real,
                                                                    std::memory_order_relaxed);
  return bound_hook(runtime, call);
}

namespace {

std::vector<LinkedCode> look_at(const std::vector<LoadedObject>& objects) {
  number_libraries(objects);
  std::vector<LinkedCode> changed = bind_linked_calls(objects);
  dlerror();  // what was not found in our look-ups is nothing to the program
  return changed;
}

// A call that seems to come from code that has no way to make it is the last step of a function of
// what was just opened.
Route* route_of_last_step(const std::vector<LoadedObject>& objects,
                          const std::vector<LinkedCode>& changed, size_t caller) {
  if (changed.size() != 1 || changed[0].object == caller) return nullptr;
  return is_linked_with_hip(objects[caller]) ? nullptr : changed[0].route;
}

// A call that came before we knew the code that may have made it.
void note_doubtful_call(const std::vector<LoadedObject>& objects,
                        const std::vector<LinkedCode>& changed, size_t caller, const Route* route) {
  for (const LinkedCode& code : changed) {
    const bool is_other = code.object != caller && code.route != nullptr && code.route != route;
    if (is_other) note_bypass(objects[code.object].path);
  }
}

}  // namespace

void look_at_opened_code() {
  if (has_opened_more()) look_at(loaded_objects());
}

Route& find_route(const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  const Caller* known = known_caller(address);
  if (known != nullptr && !has_opened_more()) {
    remember(address, known->route);
    return *known->route;
  }
  const ErrnoKeeper errno_keeper;
  if (!is_same_process()) recording().begin_anew();
  const std::vector<LoadedObject> objects = loaded_objects();
  const std::vector<LinkedCode> changed = look_at(objects);
  const size_t caller = object_around(objects, address);
  if (caller == objects.size()) return program_route();  // code that nobody loaded: a compiler's
  if (Route* hidden = route_of_last_step(objects, changed, caller)) return *hidden;
  Route& route = known != nullptr ? *known->route : route_for(objects, caller);
  note_doubtful_call(objects, changed, caller, &route);
  if (known == nullptr) keep_caller(objects[caller].code, &route);
  remember(address, &route);
  return route;
}

AnyFunction find_real_function(Route& route, Call call) {
  const ErrnoKeeper errno_keeper;
  const HookedCall& hooked = kHooked[static_cast<uint32_t>(call) - 1];
  const Found found = look_along(route, hooked);
  if (found.function == nullptr) {  // not kept: the library may be loaded later
    return hooked.returns_pointer ? reinterpret_cast<AnyFunction>(finds_nothing)
                                  : reinterpret_cast<AnyFunction>(fails);
  }
  route.runtime = runtime_number(found.library);
  note_libraries();
  route.real[static_cast<uint32_t>(call)].store(found.function, std::memory_order_relaxed);
  return found.function;
}

namespace {

int take_unloads(dl_phdr_info* info, size_t, void* unloads) {
  *static_cast<uint64_t*>(unloads) = info->dlpi_subs;
  return 1;
}

void forget_functions(Route& route) {
  for (auto& function : route.real) function.store(nullptr, std::memory_order_relaxed);
}

}  // namespace

void forget_unloaded_routes() {
  uint64_t unloads = 0;
  dl_iterate_phdr(take_unloads, &unloads);
  if (routes().unloads.exchange(unloads) == unloads) return;
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(routes().mutex);
  routes().callers = nullptr;  // what was there is left: another thread may be at it
  forget_functions(routes().program);
  for (Route* route : routes().opened) forget_functions(*route);
  forget_callers_of_all_threads();
  forget_places_of_runtimes();
  forget_linked_code();
}

void forget_locks_of_routes() {
  new (&routes().mutex) std::mutex;  // another thread may have held it
  forget_lock_of_linked_code();
}

// --- hooks for functions that are asked for ------------------------------------------------------

bool is_hook(const char* name, AnyFunction function) {
  const auto found = calls_by_name().find(name);
  return found != calls_by_name().end() && kHooked[found->second - 1].hook == function;
}

namespace {

// Whether a linked program's calls of that name go to somebody else before they go to HIP. Its hook
// must forward to them; who asks for HIP's own function gets that.
bool has_wrapper(const char* name, AnyFunction real) {
  const auto next = reinterpret_cast<AnyFunction>(real_dlsym()(RTLD_NEXT, name));
  if (next == nullptr || next == real) return false;
  return hip_library_behind(RTLD_NEXT) == library_of(real);
}

}  // namespace

AnyFunction hook_for(const char* name, AnyFunction real) {
  const ErrnoKeeper errno_keeper;
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end() || has_wrapper(name, real)) return nullptr;
  const void* library = library_of(real);
  const AnyFunction bound = bound_hook_to(real, library, static_cast<Call>(found->second));
  if (bound == nullptr && is_hip_library(library)) note_bypass(path_of(library));
  if (bound != nullptr) look_at(loaded_objects());
  return bound;
}

namespace {

// Code that was opened with RTLD_DEEPBIND finds what its own libraries have first.
AnyFunction find_deep(const HookedCall& call, const void* site) {
  if (site == nullptr || !has_opened_deep()) return nullptr;
  const std::vector<LoadedObject> objects = loaded_objects();
  const size_t asks = object_around(objects, reinterpret_cast<uintptr_t>(site));
  if (asks == objects.size()) return nullptr;
  const std::string& first = opened_with(objects, asks).path;
  if (!is_opened_deep(first)) return nullptr;
  const Opened opened(first);
  return opened.handle() != nullptr ? look_up(opened.handle(), call) : nullptr;
}

}  // namespace

// Where a wrapper stands before HIP, the hook that forwards to it.
AnyFunction hook_for_name(const char* name, const void* site) {
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end()) return nullptr;
  const HookedCall& hooked = kHooked[found->second - 1];
  AnyFunction real = find_deep(hooked, site);
  if (real == nullptr) real = look_up(RTLD_NEXT, hooked);  // what is there for all comes first
  if (real == nullptr && site != nullptr) {
    Route& route = find_route(site);
    if (&route != &program_route()) real = look_along(route, hooked).function;
  }
  if (real == nullptr) return nullptr;
  const AnyFunction bound = hook_for(name, real);
  return bound != nullptr ? bound : hooked.hook;
}

AnyFunction hook_for_next(const char* name, const void* site) {
  const ErrnoKeeper errno_keeper;
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end()) return nullptr;
  const std::vector<LoadedObject> objects = loaded_objects();
  const size_t asks = object_around(objects, reinterpret_cast<uintptr_t>(site));
  if (asks == objects.size() || opened_with(objects, asks).path.empty()) return nullptr;
  const std::string caller = path_of(site);
  const Opened opened(caller);
  const auto own = reinterpret_cast<AnyFunction>(
      opened.handle() != nullptr ? real_dlsym()(opened.handle(), name) : nullptr);
  if (own == nullptr || path_of(reinterpret_cast<void*>(own)) == caller) return nullptr;
  return hook_for(name, own);
}

// The library may answer with a newer call than the one asked for (hipGetDeviceProperties), so the
// hook is found by where it forwards to, not by the name alone.
void put_hook_in_place(void* place, const void* name) {
  auto* function = static_cast<AnyFunction*>(place);
  if (function == nullptr || *function == nullptr || name == nullptr) return;
  const std::string asked = static_cast<const char*>(name);
  const uint32_t runtime = current_runtime();
  if (runtime == kMostRuntimes) {
    note_bypass(path_of(reinterpret_cast<void*>(*function)));
    return;
  }
  for (const char* ending : {"", "_spt", "R0600", "R0000"}) {
    const auto found = calls_by_name().find(asked + ending);
    if (found == calls_by_name().end()) continue;
    const auto call = static_cast<Call>(found->second);
    if (function_of(route_of_runtime(runtime), call) != *function) continue;
    *function = bound_hook(runtime, call);
    return;
  }
}

}  // namespace greta::recorder
