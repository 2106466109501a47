#include "device/cooperative_launch.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "device/grid_barrier.h"
#include "device/launch_run.h"
#include "device/worker_pool.h"
#include "device/worker_thread.h"

namespace greta::sim {
namespace {

class CooperativeRun {
 public:
  explicit CooperativeRun(const KernelLaunch& launch)
      : blocks_(volume(launch.grid)),
        barrier_(blocks_, [this] { add_thread_if_needed(); }),
        run_(launch, &barrier_) {}

  FaultReport execute() {
    const uint64_t threads = std::min<uint64_t>(blocks_, WorkerPool::instance().concurrency());
    for (uint64_t i = 1; i < threads; ++i) add_thread();
    take_blocks();
    join_all();
    return run_.take_fault();
  }

 private:
  void take_blocks() {
    for (;;) {
      const uint64_t block = next_.fetch_add(1, std::memory_order_relaxed);
      if (block >= blocks_ || !run_.run_blocks(block, block + 1)) return;
      barrier_.block_ended();
    }
  }

  void add_thread_if_needed() {
    if (next_.load(std::memory_order_relaxed) < blocks_) add_thread();
  }

  void add_thread() {
    std::lock_guard<std::mutex> lock(threads_mutex_);
    const auto body = [](void* self) { static_cast<CooperativeRun*>(self)->take_blocks(); };
    pthread_t thread;
    if (start_worker_thread("greta-sim-coop", body, this, &thread)) {
      threads_.push_back(thread);
    } else {
      FaultReport fault;
      fault.kind = FaultKind::trap;
      fault.kernel = run_.launch().kernel->name;
      fault.message = "no thread left for a block of a cooperative launch";
      run_.stop_for(std::move(fault));
    }
  }

  // A thread may add another one until it ends, so the list can grow while we go through it.
  void join_all() {
    for (size_t i = 0;; ++i) {
      pthread_t thread;
      {
        std::lock_guard<std::mutex> lock(threads_mutex_);
        if (i == threads_.size()) return;
        thread = threads_[i];
      }
      pthread_join(thread, nullptr);
    }
  }

  const uint64_t blocks_;
  GridBarrier barrier_;
  LaunchRun run_;
  std::atomic<uint64_t> next_{0};
  std::mutex threads_mutex_;
  std::vector<pthread_t> threads_;
};

}  // namespace

FaultReport execute_cooperative(const KernelLaunch& launch) {
  return CooperativeRun(launch).execute();
}

}  // namespace greta::sim
