// Sleeping on a 32-bit word until it changes. All ordering comes from the atomics around it; the
// futex only saves the waiting thread from spinning, so a missed or spurious wake is harmless.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace greta::sim {

// Returns when the word differs from `expected`, on a wake, or after `timeout_us`.
inline void futex_wait(const std::atomic<uint32_t>& word, uint32_t expected, long timeout_us) {
  const timespec timeout{timeout_us / 1000000, (timeout_us % 1000000) * 1000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &timeout, nullptr, 0);
}

inline void futex_wake_all(const std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

inline void cpu_pause() { __builtin_ia32_pause(); }

}  // namespace greta::sim
