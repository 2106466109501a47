// A launch while it runs: what the threads that work on it share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "device/executor.h"
#include "gfx/module.h"

namespace greta::sim {

class GridBarrier;

class LaunchRun final : private gfx::BlockOwner {
 public:
  explicit LaunchRun(const KernelLaunch& launch, GridBarrier* grid_barrier = nullptr)
      : launch_(launch), grid_barrier_(grid_barrier) {
    if (launch.kernel->machine_code != nullptr) machine_code_ = gfx::Launch::begin(launch);
  }

  const KernelLaunch& launch() const { return launch_; }

  // Runs blocks [begin, end) on the calling thread. A fault stops the whole launch; the others
  // notice between blocks. False if the launch is stopped.
  bool run_blocks(uint64_t begin, uint64_t end);

  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // The first fault, once all threads are done.
  FaultReport take_fault() { return std::move(fault_); }

  // Stops the launch; the first fault is the one that is kept.
  void stop_for(FaultReport fault);

 private:
  bool run_machine_code(uint64_t begin, uint64_t end);
  bool should_stop() override;
  bool pass_grid_barrier() override;

  const KernelLaunch& launch_;
  std::unique_ptr<gfx::Launch> machine_code_;
  GridBarrier* const grid_barrier_;
  std::atomic<bool> stopped_{false};
  std::mutex fault_mutex_;
  FaultReport fault_;
};

}  // namespace greta::sim
