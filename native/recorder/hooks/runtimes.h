// The HIP libraries of the process: a process has one, seldom two. Each has a number, by which
// records name it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "recorder/hooks/bound_hooks.h"
#include "recorder/hooks/caller_scope.h"
#include "recorder/hooks/hook_table.h"

namespace greta::recorder {

using AnyFunction = void (*)();

// The functions that calls from one place go to. Kept for good: threads use it at any time.
struct Route {
  std::atomic<AnyFunction> real[kHipCalls + 1] = {};
  std::atomic<uint32_t> runtime{0};  // number of the HIP library; kMostRuntimes: of one beyond
  // Whose dependencies are looked through; empty: the program's, and what was opened for all.
  std::string opened;
};

// A library, for the time of a look-up, so that it can be unloaded after it.
class Opened {
 public:
  explicit Opened(const std::string& path);
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  void* handle() const { return handle_; }

 private:
  void* handle_;
};

// The library that holds a function, and its file.
const void* library_of(AnyFunction function);
std::string path_of(const void* library);
// The HIP library that is found through the handle; null if there is none.
const void* hip_library_behind(void* handle);
bool is_hip_library(const void* library);
bool is_named_as_hip(const LoadedObject& object);

// The number of a HIP library, kMostRuntimes if there are more than that or it is none.
uint32_t runtime_number(const void* library);
uint32_t known_runtimes();
Route& route_of_runtime(uint32_t runtime);
// Libraries that nobody may ever call through us get their numbers: that there are two is worth
// knowing.
void number_libraries(const std::vector<LoadedObject>& objects);
// Whether the code of a HIP library is around the address.
bool is_in_hip_library(const void* site);

// Calls of this code, or of functions of this library, may have gone past the recorder.
void note_bypass(const std::string& path);

// Writes which libraries there are, as soon as there is a recording and whenever there are more.
void note_libraries();
void write_library_entry();
// In a forked child, whose recording is another.
void forget_library();
// After a library was unloaded: its place may be another's now.
void forget_places_of_runtimes();

}  // namespace greta::recorder
