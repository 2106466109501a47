#include "device/launch_run.h"

#include <cstdio>

#include "device/block_runner.h"
#include "device/grid_barrier.h"
#include "device/guard.h"

namespace greta::sim {

bool LaunchRun::run_blocks(uint64_t begin, uint64_t end) {
  if (machine_code_) return run_machine_code(begin, end);
  BlockRunner& runner = BlockRunner::of_this_thread();
  runner.begin_launch(launch_, grid_barrier_);
  bool called_off = false;
  FaultReport fault = run_guarded([&] {
    if (begin < end && !is_stopped()) called_off = !runner.run(begin, end, stopped_);
  });
  if (fault) runner.locate(&fault);
  if (fault || called_off) runner.abandon_block();
  if (fault) stop_for(std::move(fault));
  return !is_stopped();
}

bool LaunchRun::should_stop() {
  if (grid_barrier_ != nullptr) grid_barrier_->let_others_begin();
  return is_stopped();
}

bool LaunchRun::pass_grid_barrier() {
  if (grid_barrier_ != nullptr) return grid_barrier_->arrive_and_wait() == GridBarrier::Passed::yes;
  return volume(launch_.grid) == 1;
}

// The engine checks every access. What the guard is for: memory that is freed while it runs.
bool LaunchRun::run_machine_code(uint64_t begin, uint64_t end) {
  FaultReport fault;
  uint64_t block = begin;
  FaultReport unexpected = run_guarded([&] {
    while (block < end && !is_stopped() && machine_code_->run(block, *this, &fault)) ++block;
  });
  if (unexpected) {
    fault = std::move(unexpected);
    fault.kernel = launch_.kernel->name;
    fault.block = position_of(block, launch_.grid);
    fault.block_known = true;
  }
  if (fault) stop_for(std::move(fault));
  return !is_stopped();
}

void LaunchRun::stop_for(FaultReport fault) {
  {
    std::lock_guard<std::mutex> lock(fault_mutex_);
    if (!fault_) {
      if (machine_code_) std::fprintf(stderr, "greta-sim: %s\n", fault.message.c_str());
      fault_ = std::move(fault);
    }
  }
  stopped_.store(true, std::memory_order_relaxed);
  if (grid_barrier_ != nullptr) grid_barrier_->call_off();
}

}  // namespace greta::sim
