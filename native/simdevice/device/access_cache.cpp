#include "device/access_cache.h"

#include <pthread.h>

#include <atomic>

#include "device/code_object.h"

namespace greta::sim {
namespace {

std::atomic<AccessChecker> g_checker{nullptr};
std::atomic<uint64_t> g_generation{1};

AccessibleRange stack_of_this_thread() {
  static thread_local const AccessibleRange range = [] {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return AccessibleRange{};
    void* low = nullptr;
    size_t bytes = 0;
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<uintptr_t>(low);
    return AccessibleRange{begin, begin + bytes, true};
  }();
  return range;
}

}  // namespace

void set_access_checker(AccessChecker checker) {
  g_checker.store(checker, std::memory_order_release);
  forget_accessible_ranges();
}

void forget_accessible_ranges() { g_generation.fetch_add(1, std::memory_order_release); }

uint64_t AccessCache::current_generation() { return g_generation.load(std::memory_order_acquire); }

void AccessCache::remember(const AccessibleRange& range) {
  remembered_[oldest_] = range;
  oldest_ = (oldest_ + 1) % remembered_.size();
}

bool AccessCache::find_out(uintptr_t address, size_t bytes, AccessKind kind, const OwnRanges& own) {
  const bool write = kind != AccessKind::read;
  if (bytes == 0) return true;
  if (address + bytes < address) return false;
  const uint64_t generation = current_generation();  // before asking: a later change counts
  if (generation != generation_) forget();
  generation_ = generation;
  for (const AccessibleRange& range : own) {
    if (covers(range, address, bytes, write)) return true;  // changes with each launch
  }
  AccessibleRange around{address, address + bytes, write};
  if (!is_private(address, bytes, write, &around)) {
    const AccessChecker checker = g_checker.load(std::memory_order_acquire);
    if (checker != nullptr && !checker(device_, address, bytes, write, &around)) return false;
    if (footprint_ != nullptr) around.window = footprint_->window_at(address);
  }
  note(around, address, bytes, kind);
  remember(around);
  return true;
}

bool AccessCache::is_private(uintptr_t address, size_t bytes, bool write,
                             AccessibleRange* around) const {
  const AccessibleRange stack = stack_of_this_thread();
  if (covers(stack, address, bytes, write)) {
    *around = stack;
    return true;
  }
  return code_ != nullptr && is_in_code_object(address, bytes, write, around);
}

bool AccessCache::is_in_code_object(uintptr_t address, size_t bytes, bool write,
                                    AccessibleRange* around) const {
  const auto matches = [&](const CodeObjectSegment& segment) {
    const AccessibleRange range{segment.begin, segment.end, segment.writable};
    if (!covers(range, address, bytes, write)) return false;
    *around = range;
    return true;
  };
  for (const CodeObjectSegment& segment : code_->segments()) {
    if (!matches(segment)) continue;
    // Variables of the module.
    if (footprint_ != nullptr && segment.writable) {
      around->window = footprint_->window_over(segment.begin, segment.end);
    }
    return true;
  }
  CodeObjectSegment block;
  return code_->find_thread_block(&block) && matches(block);
}

uint64_t accessible_generation() { return g_generation.load(std::memory_order_acquire); }

bool may_access(int device, uintptr_t address, size_t bytes, bool write, AccessibleRange* around) {
  const AccessChecker checker = g_checker.load(std::memory_order_acquire);
  return checker == nullptr || checker(device, address, bytes, write, around);
}

}  // namespace greta::sim
