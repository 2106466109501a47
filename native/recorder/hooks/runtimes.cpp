#include "recorder/hooks/runtimes.h"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>

#include "recorder/hooks/dlopen_hook.h"
#include "recorder/hooks/dlsym_hook.h"
#include "recorder/lanes/held_signals.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/tables.h"
#include "recorder/sites/loaded_code.h"

namespace greta::recorder {
namespace {

constexpr size_t kMostBypasses =
    16;  // that are named; one is enough to know that calls are missing

struct Runtime {
  std::string path;
  std::atomic<uintptr_t> code_begin{0};
  std::atomic<uintptr_t> code_end{0};
  std::atomic<const void*> base{nullptr};
  Route route;
};

struct Runtimes {
  std::mutex mutex;
  Runtime each[kMostRuntimes];
  std::atomic<uint32_t> known{0};
  std::vector<std::string> bypasses;  // with the lock
  // How much there is to be said, and how much of it has been.
  std::atomic<uint32_t> facts{0};
  std::atomic<uint32_t> noted{0};
};

Runtimes& runtimes() {
  static Runtimes* const instance = new Runtimes;
  return *instance;
}

// The caller has the lock.
uint32_t number_for(const std::string& path) {
  Runtimes& all = runtimes();
  const uint32_t known = all.known;
  for (uint32_t i = 0; i < known; ++i) {
    if (all.each[i].path == path) return i;
  }
  if (known == kMostRuntimes) return kMostRuntimes;
  all.each[known].path = path;
  all.each[known].route.opened = path;
  all.each[known].route.runtime = known;
  return known;
}

uint32_t known_number(const void* library) {
  const uint32_t known = known_runtimes();
  for (uint32_t i = 0; i < known; ++i) {
    if (runtimes().each[i].base == library) return i;
  }
  return kMostRuntimes;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ",") + json_string(text);
  return "[" + list + "]";
}

}  // namespace

// --- asking the loader; no lock of ours is held while it is asked
// ---------------------------------

Opened::Opened(const std::string& path)
    : handle_(path.empty() ? nullptr : real_dlopen()(path.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {}

Opened::~Opened() {
  if (handle_ != nullptr) dlclose(handle_);
}

const void* library_of(AnyFunction function) {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(function), &info) != 0 ? info.dli_fbase : nullptr;
}

std::string path_of(const void* library) {
  Dl_info info;
  const bool found = dladdr(library, &info) != 0 && info.dli_fname != nullptr;
  return found ? info.dli_fname : "";
}

// A library that puts itself before some functions of HIP does so for others than these.
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
  const Opened opened(path_of(library));
  return opened.handle() != nullptr && hip_library_behind(opened.handle()) == library;
}

bool is_named_as_hip(const LoadedObject& object) {
  return object.path.find("libamdhip64") != std::string::npos;
}

// --- numbers -------------------------------------------------------------------------------------

uint32_t runtime_number(const void* library) {
  if (library == nullptr) return kMostRuntimes;
  if (const uint32_t known = known_number(library); known < kMostRuntimes) return known;
  if (!is_hip_library(library)) return kMostRuntimes;
  const std::string path = path_of(library);
  const Code code = code_around(reinterpret_cast<uintptr_t>([&] {
    const Opened opened(path);
    return real_dlsym()(opened.handle(), "hipGetErrorName");
  }()));
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(runtimes().mutex);
  const uint32_t number = number_for(path);
  if (number == kMostRuntimes) return number;
  Runtime& runtime = runtimes().each[number];
  runtime.code_begin = code.begin;
  runtime.code_end = code.end;
  runtime.base = library;
  if (number != runtimes().known) return number;
  runtimes().known.store(number + 1, std::memory_order_release);
  ++runtimes().facts;
  return number;
}

uint32_t known_runtimes() { return runtimes().known.load(std::memory_order_acquire); }
Route& route_of_runtime(uint32_t runtime) { return runtimes().each[runtime].route; }

void number_libraries(const std::vector<LoadedObject>& objects) {
  for (const LoadedObject& object : objects) {
    if (is_named_as_hip(object)) runtime_number(reinterpret_cast<const void*>(object.base));
  }
  note_libraries();
}

bool is_in_hip_library(const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  const uint32_t known = known_runtimes();
  for (uint32_t i = 0; i < known; ++i) {
    const Runtime& runtime = runtimes().each[i];
    if (address >= runtime.code_begin && address < runtime.code_end) return true;
  }
  return false;
}

void forget_places_of_runtimes() {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(runtimes().mutex);
  for (Runtime& runtime : runtimes().each) {
    for (auto& function : runtime.route.real) function.store(nullptr, std::memory_order_relaxed);
    runtime.base = nullptr;
    runtime.code_end = 0;
  }
}

// --- what is said of them ------------------------------------------------------------------------

void note_bypass(const std::string& path) {
  {
    const HeldSignals held;
    std::lock_guard<std::mutex> lock(runtimes().mutex);
    std::vector<std::string>& known = runtimes().bypasses;
    if (known.size() == kMostBypasses) return;
    if (std::find(known.begin(), known.end(), path) != known.end()) return;
    known.push_back(path);
    ++runtimes().facts;
  }
  note_libraries();
}

void note_libraries() {
  if (runtimes().noted != runtimes().facts && recording().is_on()) write_library_entry();
}

void write_library_entry() {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(runtimes().mutex);
  const uint32_t facts = runtimes().facts;
  if (runtimes().noted == facts) return;
  std::vector<std::string> paths;
  for (uint32_t i = 0; i < runtimes().known; ++i) paths.push_back(runtimes().each[i].path);
  JsonLine line("process");
  if (!paths.empty()) line.field("hip_library", paths[0]).raw("hip_libraries", json_list(paths));
  if (!runtimes().bypasses.empty()) line.raw("bypassed_by", json_list(runtimes().bypasses));
  if (write_table_line(line)) runtimes().noted = facts;
}

void forget_library() {
  new (&runtimes().mutex) std::mutex;  // another thread may have held it
  runtimes().noted = 0;
}

}  // namespace greta::recorder
