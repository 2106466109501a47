#include "device/executor.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>

#include "device/cooperative_launch.h"
#include "device/kernel_print.h"
#include "device/launch_run.h"
#include "device/worker_pool.h"

namespace greta::sim {
namespace {

// Work below this is done sooner alone than with others: sharing it costs about 1 us when helpers
// are awake, and some 50 us until they come when they sleep.
constexpr uint64_t kAloneWithHelpersAwake = 2'500;
constexpr uint64_t kAloneWithHelpersAsleep = 20'000;
// How soon a launch that was thought to be cheap is looked at again.
constexpr uint64_t kFirstPieceNanoseconds = 5'000;
// A piece handed to a core should be worth the atomic operation and the entry into the guard, yet
// small enough that the cores end together.
constexpr uint64_t kPieceNanoseconds = 20'000;
constexpr uint64_t kPiecesPerCore = 4;
constexpr uint64_t kPiecesPerRound = 256;  // of each core: about 5 ms

uint64_t now_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// Runs a launch and learns what a block of its kernel costs.
class SharedRun {
 public:
  explicit SharedRun(const KernelLaunch& launch)
      : run_(launch),
        blocks_(volume(launch.grid)),
        block_cost_(launch.kernel->block_nanoseconds.load(std::memory_order_relaxed)) {}

  FaultReport execute() {
    const uint64_t done = run_alone();
    if (done < blocks_ && !run_.is_stopped()) share(done);
    if (block_cost_ != known_cost()) {
      run_.launch().kernel->block_nanoseconds.store(block_cost_, std::memory_order_relaxed);
    }
    return run_.take_fault();
  }

 private:
  uint32_t known_cost() const {
    return run_.launch().kernel->block_nanoseconds.load(std::memory_order_relaxed);
  }

  // Blocks on this thread, until they are done or it shows that sharing the rest pays: in pieces
  // that double, since what was learnt from other arguments may be wrong. Returns how many.
  uint64_t run_alone() {
    const bool can_share = blocks_ > 1 && WorkerPool::instance().concurrency() > 1;
    if (!can_share) return run_.run_blocks(0, blocks_), blocks_;
    uint64_t done = 0;
    uint64_t piece = block_cost_ != 0 ? kFirstPieceNanoseconds / block_cost_ + 1 : 1;
    while (done < blocks_ && !run_.is_stopped() && !is_worth_sharing(blocks_ - done)) {
      const uint64_t end = done + std::min(piece, blocks_ - done);
      learn(timed(done, end), end - done);
      done = end;
      piece *= 2;
    }
    return done;
  }

  bool is_worth_sharing(uint64_t blocks) const {
    const bool awake = WorkerPool::instance().is_awake();
    const uint64_t alone = awake ? kAloneWithHelpersAwake : kAloneWithHelpersAsleep;
    return block_cost_ != 0 && blocks > 1 && blocks > alone / block_cost_;
  }

  // In rounds: what the first pieces cost says more about their kernel than about entering the
  // guard, and the others may be larger by it.
  void share(uint64_t first) {
    while (first < blocks_ && !run_.is_stopped()) {
      const uint64_t cores = WorkerPool::instance().concurrency();
      const uint64_t fair = (blocks_ - first) / (cores * kPiecesPerCore);
      const uint64_t enough = kPieceNanoseconds / std::max<uint64_t>(block_cost_, 1) + 1;
      const uint64_t piece = std::clamp<uint64_t>(fair, 1, enough);
      const uint64_t round = std::min(blocks_ - first, piece * cores * kPiecesPerRound);
      share_round(first, round, piece);
      first += round;
    }
  }

  void share_round(uint64_t first, uint64_t blocks, uint64_t piece) {
    const pthread_t caller = pthread_self();
    WorkerPool::instance().parallel_for(blocks, piece, [&](uint64_t begin, uint64_t end) {
      if (run_.is_stopped()) return;
      if (!pthread_equal(pthread_self(), caller)) {
        run_.run_blocks(first + begin, first + end);
      } else {
        learn(timed(first + begin, first + end), end - begin);
      }
    });
  }

  uint64_t timed(uint64_t begin, uint64_t end) {
    const uint64_t start = now_nanoseconds();
    run_.run_blocks(begin, end);
    return now_nanoseconds() - start;
  }

  // Costs change with the arguments, so recent ones count more. Only the calling thread learns.
  void learn(uint64_t took, uint64_t blocks) {
    constexpr uint64_t kMost = 1'000'000'000;
    const uint64_t each = std::clamp<uint64_t>(took / blocks, 1, kMost);
    block_cost_ =
        static_cast<uint32_t>(block_cost_ == 0 ? each : (uint64_t{block_cost_} * 3 + each) / 4);
  }

  LaunchRun run_;
  const uint64_t blocks_;
  uint32_t block_cost_;
};

}  // namespace

FaultReport execute(const KernelLaunch& launch) {
  const bool several_blocks = volume(launch.grid) > 1;
  FaultReport fault = launch.cooperative && several_blocks ? execute_cooperative(launch)
                                                           : SharedRun(launch).execute();
  flush_kernel_prints();
  return fault;
}

}  // namespace greta::sim
