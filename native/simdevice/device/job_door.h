// The way into a job for helpers that are awake, without a lock: one job at a time stands open.
//
//   owner    claim, put the job up, let helpers in (open); work; let none in any more (close), and
//            wait until all have left; then the door is free for the next owner
//   helper   enter, work, leave
//
// The door outlives every job; a helper touches the job only between entering and leaving, so a job
// may live on its owner's stack.
#pragma once

#include <atomic>
#include <cstdint>

namespace greta::sim {

template <typename Job>
class JobDoor {
 public:
  // False if another job stands open.
  bool open(Job* job) {
    uint32_t free = 0;
    if (!state_.compare_exchange_strong(free, kClaimed, std::memory_order_acquire)) return false;
    job_ = job;
    state_.store(kClaimed | kOpen, std::memory_order_release);
    return true;
  }

  // The job, if one stands open. Then `leave` must follow.
  Job* enter() {
    uint32_t state = state_.load(std::memory_order_relaxed);
    while ((state & kOpen) != 0) {
      if (state_.compare_exchange_weak(state, state + kHelper, std::memory_order_acquire)) {
        return job_;
      }
    }
    return nullptr;
  }

  // True if the owner sleeps and must be woken, because this was the last to leave.
  bool leave() {
    const uint32_t before = state_.fetch_sub(kHelper, std::memory_order_release);
    return (before & kOwnerSleeps) != 0 && before / kHelper == 1;
  }

  void close() { state_.fetch_and(~kOpen, std::memory_order_relaxed); }

  bool is_deserted() const { return state_.load(std::memory_order_acquire) / kHelper == 0; }

  // From here on, the last helper that leaves is told that the owner sleeps.
  void owner_sleeps() { state_.fetch_or(kOwnerSleeps, std::memory_order_acquire); }

  // Closed and deserted: for the next owner.
  void set_free() { state_.store(0, std::memory_order_release); }

 private:
  static constexpr uint32_t kClaimed = 1, kOpen = 2, kOwnerSleeps = 4, kHelper = 8;

  std::atomic<uint32_t> state_{0};
  Job* job_ = nullptr;  // of the owner; helpers read it while they are inside
};

}  // namespace greta::sim
