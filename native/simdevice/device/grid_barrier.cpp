#include "device/grid_barrier.h"

namespace greta::sim {

GridBarrier::Passed GridBarrier::arrive_and_wait() {
  before_wait_();
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t round = round_;
  if (++arrived_ == blocks_) {
    arrived_ = 0;
    ++round_;
    changed_.notify_all();
    return Passed::yes;
  }
  if (is_dead()) changed_.notify_all();
  changed_.wait(lock, [&] { return round_ != round || called_off_ || is_dead(); });
  if (round_ != round) return Passed::yes;
  return called_off_ ? Passed::called_off : Passed::deadlock;
}

void GridBarrier::block_ended() {
  std::lock_guard<std::mutex> lock(mutex_);
  ++ended_;
  if (is_dead()) changed_.notify_all();
}

void GridBarrier::call_off() {
  std::lock_guard<std::mutex> lock(mutex_);
  called_off_ = true;
  changed_.notify_all();
}

}  // namespace greta::sim
