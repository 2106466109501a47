// Which thread of a block runs next. Pure bookkeeping: knows waves, barriers and who waits where,
// knows nothing of fibers.
//
// Threads of one wave run until all its lanes wait or have exited. Lanes that wait at wave
// operations are then released in groups, the group at the lowest code address first: code that
// diverged meets again at the earliest common point, as with a compiler's structured branches on
// hardware. When no wave can go on, the block barrier is due.
#pragma once

#include <array>
#include <cstdint>

#include "simt/launch_abi.h"

namespace greta::sim {

using ThreadIndex = uint32_t;  // linear, in its block

class BlockSchedule {
 public:
  static constexpr uint32_t kLanes = GRETA_SIMT_WAVE_SIZE;
  static constexpr uint32_t kMaxThreads = 1024;

  enum class Outcome : uint8_t {
    run,           // `thread` goes on, or begins
    finished,      // all threads have exited
    grid_barrier,  // all live threads wait at the grid barrier
    deadlock,      // some wait at the block barrier, the others at the grid barrier
  };
  struct Decision {
    Outcome outcome;
    ThreadIndex thread;
  };

  struct BarrierResult {
    uint32_t count = 0;    // threads that brought a non-zero predicate
    uint32_t arrived = 0;  // threads that took part
  };

  // Begins with `running` in the middle of its work, those before it gone, those after not begun.
  void begin(uint32_t threads, ThreadIndex running);

  // The running thread stops, for the given reason; then decide() says who goes on.
  void wait_at_wave(ThreadIndex thread, const void* site, uint64_t value);
  void wait_at_barrier(ThreadIndex thread, bool predicate);
  void wait_at_grid(ThreadIndex thread);
  void exit(ThreadIndex thread);

  Decision decide();

  // All blocks have reached the grid barrier.
  void release_grid();

  // What the last operation brought; valid until the thread stops again.
  const greta_simt_wave& wave_of(ThreadIndex thread) const {
    return waves_[thread / kLanes].result;
  }
  const BarrierResult& barrier() const { return barrier_; }

 private:
  struct Wave {
    // One bit per lane; a live lane that is not running is in exactly one of these.
    uint64_t ready = 0;
    uint64_t at_wave = 0;
    uint64_t at_barrier = 0;
    uint64_t at_grid = 0;
    std::array<const void*, kLanes> site;
    greta_simt_wave arriving;  // what waiting lanes brought
    greta_simt_wave result;    // what released lanes read
  };

  static void release_lowest_site(Wave* wave);
  bool find_runnable_wave();
  Decision decide_without_runnable();
  void release_barrier();

  std::array<Wave, kMaxThreads / kLanes> waves_;
  uint32_t wave_count_ = 0;
  uint32_t current_wave_ = 0;
  uint32_t live_ = 0;
  uint32_t at_barrier_ = 0;
  uint32_t at_grid_ = 0;
  uint32_t predicates_ = 0;
  BarrierResult barrier_;
};

}  // namespace greta::sim
