#include "recorder/real_functions.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recorder/dlsym_hook.h"
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

std::atomic<bool> g_library_is_noted{false};

// Of the first function that is found.
void note_library_of(AnyFunction function) {
  Dl_info info;
  if (g_library_is_noted || dladdr(reinterpret_cast<void*>(function), &info) == 0) return;
  if (info.dli_fname == nullptr || !recording().is_on()) return;
  if (g_library_is_noted.exchange(true)) return;
  write_table_line(JsonLine("process").field("hip_library", info.dli_fname));
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
  const HookedCall& hooked = kHooked[static_cast<uint32_t>(call) - 1];
  AnyFunction found = look_up(RTLD_NEXT, hooked);
  if (found == nullptr || found == hooked.hook) {
    void* library = handle_of_loaded_library();
    found = library != nullptr ? look_up(library, hooked) : nullptr;
  }
  if (found != nullptr) {
    note_library_of(found);
  } else {
    found = hooked.returns_pointer ? reinterpret_cast<AnyFunction>(finds_nothing)
                                   : reinterpret_cast<AnyFunction>(fails);
  }
  g_real[static_cast<uint32_t>(call)].store(found, std::memory_order_relaxed);
  return found;
}

void forget_library() { g_library_is_noted = false; }

AnyFunction hook_for(const char* name, AnyFunction real) {
  const auto found = calls_by_name().find(name);
  if (found == calls_by_name().end()) return nullptr;
  const HookedCall& hooked = kHooked[found->second - 1];
  if (real == hooked.hook) return hooked.hook;
  AnyFunction expected = nullptr;
  if (!g_real[found->second].compare_exchange_strong(expected, real) && expected != real) {
    // Two HIP libraries in one process: the second one's calls cannot be told from the first's.
    return nullptr;
  }
  if (expected == nullptr) note_library_of(real);
  return hooked.hook;
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
