// The barrier of all blocks of a cooperative launch.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace greta::sim {

class GridBarrier {
 public:
  enum class Passed : uint8_t {
    yes,
    called_off,  // another block faulted
    deadlock,    // another block has ended, and will never come
  };

  // `before_wait` is called, without the lock, whenever a block is about to wait.
  GridBarrier(uint64_t blocks, std::function<void()> before_wait)
      : blocks_(blocks), before_wait_(std::move(before_wait)) {}

  Passed arrive_and_wait();
  // A block that runs on may be waiting for others by itself.
  void let_others_begin() const { before_wait_(); }
  void block_ended();
  void call_off();

 private:
  bool is_dead() const { return ended_ > 0 && arrived_ > 0 && arrived_ + ended_ == blocks_; }

  const uint64_t blocks_;
  const std::function<void()> before_wait_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t arrived_ = 0;
  uint64_t ended_ = 0;
  uint64_t round_ = 0;
  bool called_off_ = false;
};

}  // namespace greta::sim
