// When something that failed is tried again: the program should not pay for it at every call, and
// not lose many more calls than it must once it can be had.
#pragma once

#include <atomic>
#include <cstdint>

#include "recorder/lanes/clock.h"

namespace greta::recorder {

class NextTry {
 public:
  // To be asked once a call: true if nothing has failed; else for the first call, the second, the
  // fourth ..., every 64th, and when 10 ms have passed.
  bool is_due() {
    if (!failing_.load(std::memory_order_acquire)) return true;
    const uint64_t missed = missed_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (missed % kCalls == 0 || (missed < kCalls && (missed & (missed - 1)) == 0)) return true;
    return monotonic_ns() >= last_ns_.load(std::memory_order_relaxed) + kNanoseconds;
  }
  void failed() {
    if (!failing_.exchange(true)) missed_.store(0, std::memory_order_relaxed);
    last_ns_.store(monotonic_ns(), std::memory_order_relaxed);
  }
  void worked() {
    if (failing_.load(std::memory_order_relaxed)) failing_.store(false);
  }

 private:
  static constexpr uint64_t kCalls = 64;
  static constexpr uint64_t kNanoseconds = 10'000'000;

  std::atomic<bool> failing_{false};
  std::atomic<uint64_t> missed_{0};
  std::atomic<uint64_t> last_ns_{0};
};

}  // namespace greta::recorder
