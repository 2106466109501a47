#include "device/fiber_stack.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "environment.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102  // Linux 6.13
#endif

namespace greta::sim {
namespace {

constexpr size_t kPageBytes = 4096;
// Wide, so that a large frame does not step over it.
constexpr size_t kGuardBytes = 16 * kPageBytes;
constexpr size_t kStacksPerSlab = 32;
// Without MADV_GUARD_INSTALL a guard costs two of the process's 65,530 mappings. The program needs
// some too, so beyond this many stacks there are no guards.
constexpr size_t kMaxProtectedGuards = 8192;

size_t stack_bytes() {
  static const size_t bytes = [] {
    const long kib = number_variable("GRETA_SIM_STACK_KIB", 16, 1024 * 1024, 64);
    return (static_cast<size_t>(kib) * 1024 + kPageBytes - 1) / kPageBytes * kPageBytes;
  }();
  return bytes;
}

[[noreturn]] void out_of_memory() {
  std::fprintf(stderr, "greta: no memory for the stacks of a kernel's threads\n");
  std::abort();
}

class StackCache {
 public:
  FiberStack take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) add_slab();
    const FiberStack stack = free_.back();
    free_.pop_back();
    return stack;
  }

  void put(const FiberStack& stack) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(stack);
  }

 private:
  // A slab:  guard | stack | guard | stack | ...
  void add_slab() {
    const size_t stride = kGuardBytes + stack_bytes();
    void* memory = mmap(nullptr, stride * kStacksPerSlab, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) out_of_memory();
    // A huge page would make every stack of a thread that uses 1 KiB cost its full size.
    madvise(memory, stride * kStacksPerSlab, MADV_NOHUGEPAGE);
    const auto base = reinterpret_cast<uintptr_t>(memory);
    for (size_t i = kStacksPerSlab; i-- > 0;) {
      const uintptr_t guard = base + i * stride;
      protect(guard);
      free_.push_back({guard, guard + kGuardBytes, guard + stride});
    }
  }

  void protect(uintptr_t guard) {
    void* memory = reinterpret_cast<void*>(guard);
    if (madvise(memory, kGuardBytes, MADV_GUARD_INSTALL) == 0) return;
    if (protected_guards_ == kMaxProtectedGuards) return;
    if (mprotect(memory, kGuardBytes, PROT_NONE) == 0) ++protected_guards_;
  }

  std::mutex mutex_;
  std::vector<FiberStack> free_;
  size_t protected_guards_ = 0;
};

// Never destroyed: workers may still run while the process exits.
StackCache& cache() {
  static auto* const instance = new StackCache;
  return *instance;
}

}  // namespace

FiberStack acquire_fiber_stack() { return cache().take(); }

void release_fiber_stack(const FiberStack& stack) { cache().put(stack); }

}  // namespace greta::sim
