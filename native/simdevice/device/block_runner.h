// Runs the blocks of a launch, one after the other, on one OS thread.
//
// A block begins as one loop over its threads, on a fiber. The first thread that waits keeps that
// fiber, and every later thread gets one of its own (see simt/launch_abi.h). From then on each
// service call that waits switches directly to the fiber of the next thread that can go on. A
// kernel that never waits costs one switch to its fiber and one back per block.
#pragma once

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/access_cache.h"
#include "device/block_schedule.h"
#include "device/executor.h"
#include "device/fiber.h"

namespace greta::sim {

class GridBarrier;

class BlockRunner {
 public:
  static BlockRunner& of_this_thread();

  // `grid_barrier` is null unless the launch is cooperative.
  void begin_launch(const KernelLaunch& launch, GridBarrier* grid_barrier);

  // Runs the blocks [begin, end), of which there is one at least, inside a guarded region, on the
  // thread's own stack; ends between two blocks once the launch is stopped. False if it was called
  // off while a block waited for the grid.
  bool run(uint64_t begin, uint64_t end, const std::atomic<bool>& stopped);

  // After a fault, or a block called off: makes the runner fit for the next block.
  void abandon_block();

  // Adds where the runner was when the fault happened. Before abandon_block.
  void locate(FaultReport* report) const;

  BlockRunner();
  ~BlockRunner() = default;

 private:
  // The block as the kernel sees it, and the way back from there to us.
  struct VisibleBlock {
    greta_simt_block visible;  // first: services get its address
    BlockRunner* runner;
  };

  struct ThreadFiber : Fiber {
    using Fiber::Fiber;
    bool busy = false;
  };

  // Why control came back to the thread's own stack. Everything that may take a lock or allocate
  // is done there: a fiber's stack may overflow, and must not do so while a lock is held.
  enum class Request : uint8_t {
    none,
    finished,
    more_fibers,
    grid_barrier,
    deadlock,
    print,
    trap,
    check_access
  };

  // What the running thread asks for; the fields of the request at hand are set.
  struct ServiceCall {
    ThreadIndex thread;
    const char* text;  // print: format; trap: message or null
    va_list* arguments;
    int printed;
    uintptr_t address;
    uint64_t bytes;
    AccessKind kind;   // as it is told
    AccessKind noted;  // and as the footprint has it
    uintptr_t site;
  };

  static constexpr ThreadIndex kNoThread = GRETA_SIMT_WHOLE_BLOCK;

  // Services; `block` leads to the runner.
  static BlockRunner& runner_of(const greta_simt_block* block);
  static int block_barrier(const greta_simt_block* block, uint32_t thread, int predicate,
                           uint32_t* count, uint32_t* arrived);
  static int wave_exchange(const greta_simt_block* block, uint32_t thread, const void* site,
                           uint64_t value, const greta_simt_wave** wave);
  static int grid_barrier(const greta_simt_block* block, uint32_t thread);
  static int print(const char* format, va_list arguments);
  static void trap(const greta_simt_block* block, uint32_t thread, const char* message);
  static void check_access(const greta_simt_block* block, uint32_t thread, const void* address,
                           uint64_t bytes, int kind, const void* site);
  static const greta_simt_services kServices;

  bool has_next_block() const;
  void step_to_next_block();

  // On fibers.
  static void fiber_body(void* runner);
  void run_assigned_threads();
  void finish_loop();
  void prepare_to_wait(ThreadIndex thread);
  void wait_for_turn(ThreadIndex thread);
  void ask_home(Request request);
  Continuation& continuation_for(const BlockSchedule::Decision& decision);
  Continuation& continuation_of(ThreadIndex thread);
  ThreadFiber* take_fiber();
  void release_fiber(ThreadFiber* fiber);
  int loop_advice(ThreadIndex thread) const {
    return thread == loop_thread_ ? GRETA_SIMT_LEAVE_LOOP : GRETA_SIMT_CONTINUE;
  }

  // On the thread's own stack.
  bool serve_requests();
  void reserve_fibers(size_t count);
  bool pass_grid_barrier();
  void answer_access_check();
  FaultReport refused_access() const;
  [[noreturn]] void raise_trap();
  [[noreturn]] void raise_at(ThreadIndex thread, FaultReport report) const;

  const KernelLaunch* launch_ = nullptr;
  GridBarrier* grid_ = nullptr;
  greta_simt_entry entry_ = nullptr;
  VisibleBlock block_{};
  uint32_t threads_ = 0;
  uint64_t left_ = 0;  // blocks after this one
  const std::atomic<bool>* stopped_ = nullptr;

  ThreadContinuation home_;
  Request request_ = Request::none;
  ServiceCall call_{};

  bool apart_ = false;                   // the threads have fibers of their own
  ThreadIndex loop_thread_ = kNoThread;  // whose fiber began as the loop over all threads
  ThreadIndex running_ = kNoThread;
  ThreadIndex starting_ = kNoThread;  // what a fiber that was just switched to is to begin
  ThreadFiber* running_fiber_ = nullptr;
  std::array<ThreadFiber*, BlockSchedule::kMaxThreads> fiber_of_{};
  BlockSchedule schedule_{};

  std::vector<std::unique_ptr<ThreadFiber>> fibers_;
  std::vector<ThreadFiber*> free_fibers_;
  AccessCache access_;
};

}  // namespace greta::sim
