#include "device/launch_run.h"

#include "device/block_runner.h"
#include "device/grid_barrier.h"
#include "device/guard.h"

namespace greta::sim {

bool LaunchRun::run_blocks(uint64_t begin, uint64_t end) {
  BlockRunner& runner = BlockRunner::of_this_thread();
  runner.begin_launch(launch_, grid_barrier_);
  bool called_off = false;
  FaultReport fault = run_guarded([&] {
    for (uint64_t block = begin; block < end && !called_off && !is_stopped(); ++block) {
      called_off = !runner.run(block);
    }
  });
  if (fault) runner.locate(&fault);
  if (fault || called_off) runner.abandon_block();
  if (fault) stop_for(std::move(fault));
  return !is_stopped();
}

void LaunchRun::stop_for(FaultReport fault) {
  {
    std::lock_guard<std::mutex> lock(fault_mutex_);
    if (!fault_) fault_ = std::move(fault);
  }
  stopped_.store(true, std::memory_order_relaxed);
  if (grid_barrier_ != nullptr) grid_barrier_->call_off();
}

}  // namespace greta::sim
