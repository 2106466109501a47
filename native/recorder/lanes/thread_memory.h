// What a thread remembers to be quick. On the heap: a thread's own stack may have room for little,
// and all thread-local memory is taken from it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace greta::recorder {

struct KernelLayout;
struct Route;

// Code of two libraries never shares one.
constexpr uintptr_t kCallerPage = 4096;

struct ThreadMemory {
  struct Kernel {
    const void* function;
    const KernelLayout* layout;
    uint32_t epoch;
  };

  struct Caller {
    std::atomic<uintptr_t> page;  // of code that calls
    Route* route;
  };

  std::array<std::atomic<uint64_t>, 256> sites;  // call sites that are known
  std::array<Kernel, 64> kernels;
  std::array<Caller, 64> callers;
  ThreadMemory* next;  // of another thread
};

extern __attribute__((tls_model("initial-exec"))) __thread ThreadMemory* t_memory;
ThreadMemory& new_thread_memory();
inline ThreadMemory& thread_memory() {
  return t_memory != nullptr ? *t_memory : new_thread_memory();
}

// When the thread ends.
void drop_thread_memory();

// A library is gone, and with it what all threads know of call sites.
void forget_sites_of_all_threads();
void forget_callers_of_all_threads();

// In a forked child.
void forget_other_threads();

}  // namespace greta::recorder
