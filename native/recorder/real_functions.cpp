#include "recorder/real_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recorder/dlsym_hook.h"
#include "recorder/errno_keeper.h"
#include "recorder/process_recording.h"
#include "recorder/tables.h"

namespace greta::recorder {

std::atomic<AnyFunction> g_real[kHipCalls + 1];

namespace {

constexpr int kNotSupported = 801;  // hipErrorNotSupported

// For a call that the library does not have. Without the recorder the program would not have been
// loaded, or would have found null.
int fails() { return kNotSupported; }
void* finds_nothing() { return nullptr; }

// Where the library lies whose functions the hooks forward to; null until the first is found.
std::atomic<const void*> g_library{nullptr};
std::atomic<bool> g_library_is_noted{false};

const void* library_of(AnyFunction function) {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(function), &info) != 0 ? info.dli_fbase : nullptr;
}

void note_library() {
  if (!g_library_is_noted && recording().is_on()) write_library_entry();
}

int is_at(dl_phdr_info* info, size_t, void* base) {
  return reinterpret_cast<const void*>(info->dlpi_addr) == base ? 1 : 0;
}

bool is_loaded(const void* library) {
  return dl_iterate_phdr(is_at, const_cast<void*>(library)) != 0;
}

void forget_functions() {
  for (auto& function : g_real) function.store(nullptr, std::memory_order_relaxed);
}

// The library that these are found in through the handle; null if they are not in one. A library
// that puts itself before some functions of HIP does so for others than these.
const void* hip_library_behind(void* handle) {
  const void* library = nullptr;
  for (const char* name : {"hipRuntimeGetVersion", "hipDriverGetVersion", "hipGetErrorName"}) {
    void* found = real_dlsym()(handle, name);
    if (found == nullptr) return nullptr;
    const void* its_library = library_of(reinterpret_cast<AnyFunction>(found));
    if (library != nullptr && its_library != library) return nullptr;
    library = its_library;
  }
  return library;
}

bool is_hip_library(const void* library) {
  Dl_info info;
  if (dladdr(library, &info) == 0 || info.dli_fname == nullptr) return false;
  void* handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const bool has_all = hip_library_behind(handle) == library;
  dlclose(handle);  // so that it can be unloaded
  return has_all;
}

// One library per process: hooks of functions of two could not tell where to forward to. It is the
// one that the program is linked with, or else the first that is asked; another takes its place
// when it has been unloaded.
bool is_the_library(const void* library) {
  const void* ours = g_library.load();
  if (ours != nullptr && ours != library && !is_loaded(ours)) {
    forget_functions();
    g_library.compare_exchange_strong(ours, nullptr);
    ours = nullptr;
  }
  if (ours == nullptr) {
    const void* first = hip_library_behind(RTLD_NEXT);
    if (first == nullptr && is_hip_library(library)) first = library;
    if (first != nullptr && g_library.compare_exchange_strong(ours, first)) ours = first;
  }
  return ours != nullptr && ours == library;
}

// Whether a linked program's calls of that name go to somebody else before they go to HIP. Its hook
// must forward to them; who asks for HIP's own function gets that.
bool has_wrapper(const char* name, AnyFunction real) {
  const auto next = reinterpret_cast<AnyFunction>(real_dlsym()(RTLD_NEXT, name));
  return next != nullptr && next != real && hip_library_behind(RTLD_NEXT) != nullptr;
}

int take_if_hip(dl_phdr_info* info, size_t, void* path) {
  if (info->dlpi_name == nullptr || std::strstr(info->dlpi_name, "libamdhip64.so") == nullptr) {
    return 0;
  }
  *static_cast<std::string*>(path) = info->dlpi_name;
  return 1;
}

// A library that was loaded into a scope of its own (as Python loads its modules) is not among
// those RTLD_NEXT looks through.
void* handle_of_loaded_library() {
  std::string path;
  dl_iterate_phdr(take_if_hip, &path);
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

AnyFunction look_up(void* handle, const HookedCall& call) {
  void* found = real_dlsym()(handle, call.name);
  if (found == nullptr && call.second_name != nullptr) {
    found = real_dlsym()(handle, call.second_name);
  }
  return reinterpret_cast<AnyFunction>(found);
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

}  // namespace

AnyFunction find_real_function(Call call) {
  const ErrnoKeeper errno_keeper;
  const HookedCall& hooked = kHooked[static_cast<uint32_t>(call) - 1];
  AnyFunction found = look_up(RTLD_NEXT, hooked);
  if (found == nullptr || found == hooked.hook) {
    void* library = handle_of_loaded_library();
    found = library != nullptr ? look_up(library, hooked) : nullptr;
  }
  if (found == nullptr) {  // not kept: the library may be loaded later
    return hooked.returns_pointer ? reinterpret_cast<AnyFunction>(finds_nothing)
                                  : reinterpret_cast<AnyFunction>(fails);
  }
  is_the_library(library_of(found));
  note_library();
  g_real[static_cast<uint32_t>(call)].store(found, std::memory_order_relaxed);
  return found;
}

void write_library_entry() {
  Dl_info info;
  const void* library = g_library.load();
  if (library == nullptr || dladdr(library, &info) == 0 || info.dli_fname == nullptr) return;
  if (g_library_is_noted.exchange(true)) return;
  const auto line = JsonLine("process").field("hip_library", info.dli_fname);
  if (!write_table_line(line)) g_library_is_noted = false;
}

void forget_library() { g_library_is_noted = false; }

bool is_hook(const char* name, AnyFunction function) {
  const auto found = calls_by_name().find(name);
  return found != calls_by_name().end() && kHooked[found->second - 1].hook == function;
}

bool has_real_function(const char* name) {
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end()) return false;
  const AnyFunction real = real_function(static_cast<Call>(found->second));
  return real != reinterpret_cast<AnyFunction>(fails) &&
         real != reinterpret_cast<AnyFunction>(finds_nothing);
}

AnyFunction hook_for(const char* name, AnyFunction real) {
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end() || !is_the_library(library_of(real))) return nullptr;
  if (has_wrapper(name, real)) return nullptr;
  g_real[found->second].store(real, std::memory_order_relaxed);
  note_library();
  return kHooked[found->second - 1].hook;
}

// The library may answer with a newer call than the one asked for (hipGetDeviceProperties), so the
// hook is found by where it forwards to, not by the name alone.
void put_hook_in_place(void* place, const void* name) {
  auto* function = static_cast<AnyFunction*>(place);
  if (function == nullptr || *function == nullptr || name == nullptr) return;
  const std::string asked = static_cast<const char*>(name);
  for (const char* ending : {"", "_spt", "R0600", "R0000"}) {
    const auto found = calls_by_name().find(asked + ending);
    if (found == calls_by_name().end()) continue;
    if (real_function(static_cast<Call>(found->second)) != *function) continue;
    *function = kHooked[found->second - 1].hook;
    return;
  }
}

}  // namespace greta::recorder
