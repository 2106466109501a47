// What a thread remembers to be quick. On the heap: a thread's own stack may have room for little,
// and all thread-local memory is taken from it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "recorder/sites/frame_rule.h"
#include "recorder/sites/native_stack.h"
#include "recorder/sites/site_key.h"

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

  struct Frame {
    std::atomic<uint64_t> address;
    FrameRule rule;
  };

  struct Stack {
    SiteKey key;
    uint32_t id;
    uint32_t generation;
  };

  // A stack that calls were made from lately.
  struct RecentStack {
    std::atomic<uint32_t> id;  // 0: none
    uint32_t call;
    uint32_t script;
    uint32_t generation;
    StackWalk walk;
  };

  using RecentStacks = std::array<RecentStack, 16>;

  std::array<std::atomic<uint64_t>, 256> sites;  // call sites that are known
  std::array<Kernel, 64> kernels;
  std::array<Caller, 64> callers;
  std::array<Frame, 512> frames;  // how to leave them
  std::array<Stack, 256> stacks;
  std::atomic<RecentStacks*> recent;  // null until the first
  bool knows_stack;
  uintptr_t stack_begin;  // of the thread's own; 0: the main thread's, or not known
  uintptr_t stack_end;
  std::unique_ptr<char[]> stack_copy;  // of one that is not
  ThreadMemory* next;                  // of another thread
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
