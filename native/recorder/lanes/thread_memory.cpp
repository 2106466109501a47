#include "recorder/lanes/thread_memory.h"

#include <mutex>
#include <new>
#include <utility>

#include "recorder/lanes/held_signals.h"

namespace greta::recorder {

__attribute__((tls_model("initial-exec"))) __thread ThreadMemory* t_memory = nullptr;

namespace {

struct AllThreads {
  std::mutex mutex;
  ThreadMemory* first = nullptr;
};

AllThreads& all_threads() {
  static AllThreads* const instance = new AllThreads;
  return *instance;
}

void take_out(const ThreadMemory* memory) {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(all_threads().mutex);
  ThreadMemory** place = &all_threads().first;
  while (*place != nullptr && *place != memory) place = &(*place)->next;
  if (*place != nullptr) *place = memory->next;
}

}  // namespace

ThreadMemory& new_thread_memory() {
  auto* memory = new ThreadMemory{};
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(all_threads().mutex);
  memory->next = std::exchange(all_threads().first, memory);
  t_memory = memory;
  return *memory;
}

void drop_thread_memory() {
  ThreadMemory* memory = std::exchange(t_memory, nullptr);
  if (memory != nullptr) take_out(memory);
  if (memory != nullptr) delete memory->recent.load();
  delete memory;
}

void forget_sites_of_all_threads() {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(all_threads().mutex);
  for (ThreadMemory* each = all_threads().first; each != nullptr; each = each->next) {
    for (auto& site : each->sites) site.store(0, std::memory_order_relaxed);
    for (auto& frame : each->frames) frame.address.store(0, std::memory_order_relaxed);
    if (ThreadMemory::RecentStacks* recent = each->recent.load()) {
      for (auto& stack : *recent) stack.id.store(0, std::memory_order_relaxed);
    }
  }
}

void forget_callers_of_all_threads() {
  const HeldSignals held;
  std::lock_guard<std::mutex> lock(all_threads().mutex);
  for (ThreadMemory* each = all_threads().first; each != nullptr; each = each->next) {
    for (auto& caller : each->callers) caller.page.store(0, std::memory_order_relaxed);
  }
}

void forget_other_threads() {
  new (&all_threads()) AllThreads;  // another thread may have been at the old one
  if (t_memory == nullptr) return;
  t_memory->next = nullptr;
  all_threads().first = t_memory;
}

}  // namespace greta::recorder
