#include "device/block_runner.h"

#include <immintrin.h>

#include <algorithm>
#include <cstdio>

#include "device/grid_barrier.h"
#include "device/guard.h"
#include "device/kernel_print.h"

namespace greta::sim {
namespace {

// An earlier block on this fiber may have changed it; setting it costs more than looking.
void restore_rounding() {
  constexpr unsigned kDefaultMxcsr = 0x1f80;
  constexpr unsigned kMxcsrFlags = 0x3f;
  if ((_mm_getcsr() & ~kMxcsrFlags) != kDefaultMxcsr) _mm_setcsr(kDefaultMxcsr);
}

}  // namespace

const greta_simt_services BlockRunner::kServices = {
    block_barrier, wave_exchange, grid_barrier, print, trap, check_access,
};

BlockRunner& BlockRunner::of_this_thread() {
  // On the heap, because the library's thread-local memory must stay small: the fault handler
  // needs part of it in every thread, so all of it is allocated with every thread.
  static thread_local const std::unique_ptr<BlockRunner> runner(new BlockRunner);
  return *runner;
}

BlockRunner::BlockRunner() {
  block_.visible.services = &kServices;
  block_.runner = this;
}

void BlockRunner::begin_launch(const KernelLaunch& launch, GridBarrier* grid_barrier) {
  launch_ = &launch;
  grid_ = grid_barrier;
  entry_ = launch.kernel->entry;
  threads_ = static_cast<uint32_t>(volume(launch.block));
  block_.visible.grid_dim = launch.grid;
  block_.visible.block_dim = launch.block;
  block_.visible.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  access_.begin_launch(launch.device, launch.kernel->code_object, launch.footprint);
  reserve_fibers(1);
}

bool BlockRunner::run(uint64_t begin, uint64_t end, const std::atomic<bool>& stopped) {
  stopped_ = &stopped;
  left_ = end - begin;
  // Most launches that must be cheap have one block; divisions are not.
  block_.visible.block_index = begin == 0 ? Dim3{0, 0, 0} : position_of(begin, launch_->grid);
  for (;;) {
    --left_;
    apart_ = false;
    loop_thread_ = running_ = kNoThread;
    starting_ = GRETA_SIMT_WHOLE_BLOCK;
    running_fiber_ = take_fiber();
    home_.prepare();
    switch_continuation(home_, *running_fiber_);
    if (!serve_requests()) return false;
    if (!has_next_block()) return true;
    step_to_next_block();
  }
}

bool BlockRunner::has_next_block() const {
  return left_ != 0 && !stopped_->load(std::memory_order_relaxed);
}

void BlockRunner::step_to_next_block() {
  greta_simt_dim& at = block_.visible.block_index;
  if (++at.x < launch_->grid.x) return;
  at.x = 0;
  if (++at.y < launch_->grid.y) return;
  at.y = 0;
  ++at.z;
}

void BlockRunner::abandon_block() {
  home_.returned_by_fault();
  free_fibers_.clear();
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) {
    if ((*fiber)->busy) (*fiber)->restart();
    release_fiber(fiber->get());
  }
}

void BlockRunner::locate(FaultReport* report) const {
  report->kernel = launch_->kernel->name;
  report->block = block_.visible.block_index;
  report->block_known = true;
  if (apart_ && !report->thread_known) {
    report->thread = position_of(running_, launch_->block);
    report->thread_known = true;
  }
  if (report->kind == FaultKind::illegal_address && report->address_known &&
      running_fiber_->stack().guards(report->address)) {
    report->kind = FaultKind::stack_overflow;
    report->message =
        "a thread needs more private memory than its stack has; a larger one can be "
        "asked for with GRETA_SIM_STACK_KIB";
  }
}

// --- On fibers -----------------------------------------------------------------------------------

void BlockRunner::fiber_body(void* runner) {
  for (;;) static_cast<BlockRunner*>(runner)->run_assigned_threads();
}

// Runs what the fiber was switched to for, then hands over. A thread that ends leaves its fiber to
// the next thread that has not begun, if it is that one's turn.
void BlockRunner::run_assigned_threads() {
  restore_rounding();
  ThreadIndex thread = starting_;
  for (;;) {
    entry_(&block_.visible, launch_->kernarg, thread);
    if (!apart_) {
      // The next block begins where it is: to go home and come back costs more than small blocks.
      if (!has_next_block()) return finish_loop();
      --left_;
      step_to_next_block();
      restore_rounding();
      continue;
    }
    schedule_.exit(running_);
    const BlockSchedule::Decision next = schedule_.decide();
    if (next.outcome != BlockSchedule::Outcome::run || fiber_of_[next.thread] != nullptr) {
      ThreadFiber& here = *running_fiber_;
      release_fiber(&here);
      switch_continuation(here, continuation_for(next));
      return;
    }
    running_ = thread = next.thread;
    fiber_of_[thread] = running_fiber_;
  }
}

void BlockRunner::finish_loop() {
  release_fiber(running_fiber_);
  ask_home(Request::finished);
}

void BlockRunner::ask_home(Request request) {
  request_ = request;
  switch_continuation(*running_fiber_, home_);
}

// The first thread that waits takes the loop's fiber for itself; those after it get their own.
void BlockRunner::prepare_to_wait(ThreadIndex thread) {
  if (apart_) return;
  if (fibers_.size() < threads_ - thread) ask_home(Request::more_fibers);
  apart_ = true;
  loop_thread_ = running_ = thread;
  std::fill_n(fiber_of_.begin(), threads_, nullptr);
  fiber_of_[thread] = running_fiber_;
  schedule_.begin(threads_, thread);
}

void BlockRunner::wait_for_turn(ThreadIndex thread) {
  const BlockSchedule::Decision next = schedule_.decide();
  if (next.outcome == BlockSchedule::Outcome::run && next.thread == thread) return;
  ThreadFiber& here = *running_fiber_;
  switch_continuation(here, continuation_for(next));
}

Continuation& BlockRunner::continuation_for(const BlockSchedule::Decision& decision) {
  switch (decision.outcome) {
    case BlockSchedule::Outcome::run:
      return continuation_of(decision.thread);
    case BlockSchedule::Outcome::finished:
      request_ = Request::finished;
      break;
    case BlockSchedule::Outcome::grid_barrier:
      request_ = Request::grid_barrier;
      break;
    case BlockSchedule::Outcome::deadlock:
      request_ = Request::deadlock;
      break;
  }
  return home_;
}

Continuation& BlockRunner::continuation_of(ThreadIndex thread) {
  running_ = thread;
  if (fiber_of_[thread] == nullptr) {
    starting_ = thread;
    fiber_of_[thread] = take_fiber();
  }
  running_fiber_ = fiber_of_[thread];
  return *running_fiber_;
}

BlockRunner::ThreadFiber* BlockRunner::take_fiber() {
  ThreadFiber* fiber = free_fibers_.back();
  free_fibers_.pop_back();
  fiber->busy = true;
  return fiber;
}

void BlockRunner::release_fiber(ThreadFiber* fiber) {
  fiber->busy = false;
  free_fibers_.push_back(fiber);  // has room: reserve_fibers saw to it
}

// --- Services ------------------------------------------------------------------------------------

BlockRunner& BlockRunner::runner_of(const greta_simt_block* block) {
  return *reinterpret_cast<const VisibleBlock*>(block)->runner;
}

int BlockRunner::block_barrier(const greta_simt_block* block, uint32_t thread, int predicate,
                               uint32_t* count, uint32_t* arrived) {
  BlockRunner& runner = runner_of(block);
  runner.prepare_to_wait(thread);
  runner.schedule_.wait_at_barrier(thread, predicate != 0);
  runner.wait_for_turn(thread);
  if (count != nullptr) *count = runner.schedule_.barrier().count;
  if (arrived != nullptr) *arrived = runner.schedule_.barrier().arrived;
  return runner.loop_advice(thread);
}

int BlockRunner::wave_exchange(const greta_simt_block* block, uint32_t thread, const void* site,
                               uint64_t value, const greta_simt_wave** wave) {
  BlockRunner& runner = runner_of(block);
  runner.prepare_to_wait(thread);
  runner.schedule_.wait_at_wave(thread, site, value);
  runner.wait_for_turn(thread);
  *wave = &runner.schedule_.wave_of(thread);
  return runner.loop_advice(thread);
}

int BlockRunner::grid_barrier(const greta_simt_block* block, uint32_t thread) {
  BlockRunner& runner = runner_of(block);
  runner.prepare_to_wait(thread);
  runner.schedule_.wait_at_grid(thread);
  runner.wait_for_turn(thread);
  return runner.loop_advice(thread);
}

int BlockRunner::print(const char* format, va_list arguments) {
  BlockRunner& runner = of_this_thread();
  va_list copy;
  va_copy(copy, arguments);
  runner.call_.text = format;
  runner.call_.arguments = &copy;
  runner.ask_home(Request::print);
  va_end(copy);
  return runner.call_.printed;
}

void BlockRunner::trap(const greta_simt_block* block, uint32_t thread, const char* message) {
  BlockRunner& runner = runner_of(block);
  runner.call_.thread = thread;
  runner.call_.text = message;
  runner.ask_home(Request::trap);
  __builtin_unreachable();
}

void BlockRunner::check_access(const greta_simt_block* block, uint32_t thread, const void* address,
                               uint64_t bytes, int kind, const void* site) {
  BlockRunner& runner = runner_of(block);
  const auto start = reinterpret_cast<uintptr_t>(address);
  const FiberStack& stack = runner.running_fiber_->stack();
  if (stack.contains(start) && bytes <= stack.high - start) return;
  const bool is_volatile = kind == GRETA_SIMT_KIND_VOLATILE_WRITE;
  const AccessKind noted = is_volatile ? AccessKind::atomic : static_cast<AccessKind>(kind);
  if (runner.access_.remembers(start, bytes, noted)) return;
  runner.call_.thread = thread;
  runner.call_.address = start;
  runner.call_.bytes = bytes;
  runner.call_.kind = is_volatile ? AccessKind::write : noted;
  runner.call_.noted = noted;
  runner.call_.site = reinterpret_cast<uintptr_t>(site);
  runner.ask_home(Request::check_access);
}

// --- On the thread's own stack -------------------------------------------------------------------

bool BlockRunner::serve_requests() {
  for (;;) {
    switch (request_) {
      case Request::none:
      case Request::finished:
        return true;
      case Request::more_fibers:
        reserve_fibers(threads_);
        break;
      case Request::grid_barrier:
        if (!pass_grid_barrier()) return false;
        break;
      case Request::deadlock:
        call_.thread = running_;
        call_.text = "deadlock: some threads wait at the block's barrier, others at the grid's";
        raise_trap();
      case Request::print:
        call_.printed = print_from_kernel(call_.text, *call_.arguments);
        break;
      case Request::trap:
        raise_trap();
      case Request::check_access:
        answer_access_check();
        break;
    }
    switch_continuation(home_, *running_fiber_);
  }
}

void BlockRunner::reserve_fibers(size_t count) {
  if (fibers_.size() >= count) return;
  fibers_.reserve(count);
  free_fibers_.reserve(count);
  while (fibers_.size() < count) {
    fibers_.push_back(std::make_unique<ThreadFiber>(&fiber_body, this));
    free_fibers_.push_back(fibers_.back().get());
  }
}

// A launch of one block needs no other; its grid barrier is a block barrier.
bool BlockRunner::pass_grid_barrier() {
  const bool alone = volume(launch_->grid) == 1;
  call_.thread = running_;
  call_.text = nullptr;
  if (grid_ == nullptr && !alone) call_.text = "grid barrier in a launch that is not cooperative";
  if (grid_ != nullptr && !alone) {
    const GridBarrier::Passed passed = grid_->arrive_and_wait();
    if (passed == GridBarrier::Passed::called_off) return false;
    if (passed == GridBarrier::Passed::deadlock) {
      call_.text = "deadlock: a block waits at the grid barrier, but another has ended";
    }
  }
  if (call_.text != nullptr) raise_trap();
  schedule_.release_grid();
  continuation_for(schedule_.decide());
  return true;
}

void BlockRunner::answer_access_check() {
  const auto arguments = reinterpret_cast<uintptr_t>(launch_->kernarg);
  const auto self = reinterpret_cast<uintptr_t>(this);
  const AccessCache::OwnRanges own = {
      {{arguments, arguments + launch_->kernel->kernarg_bytes, false},
       {self, self + sizeof *this, false}}};
  if (access_.find_out(call_.address, call_.bytes, call_.noted, own)) return;
  FaultReport report = refused_access();
  if (launch_->faults_outside) raise_at(call_.thread, std::move(report));
  report.thread = position_of(call_.thread, launch_->block);
  report.thread_known = true;
  locate(&report);
  if (launch_->footprint != nullptr) launch_->footprint->keep_outside(std::move(report));
}

FaultReport BlockRunner::refused_access() const {
  static constexpr const char* kNames[] = {"read", "write", "atomic access"};
  char text[128];
  std::snprintf(text, sizeof text, "%s of %llu bytes at 0x%llx, which is not memory of the device",
                kNames[static_cast<size_t>(call_.kind)],
                static_cast<unsigned long long>(call_.bytes),
                static_cast<unsigned long long>(call_.address));
  FaultReport report;
  report.kind = FaultKind::illegal_address;
  report.address = call_.address;
  report.address_known = true;
  report.access = call_.kind;
  report.bytes = call_.bytes;
  report.instruction = call_.site - 1;  // the return address may be that of the next line
  report.message = text;
  return report;
}

void BlockRunner::raise_trap() {
  FaultReport report;
  report.kind = FaultKind::trap;
  report.message = call_.text != nullptr ? call_.text : "trap";
  raise_at(call_.thread, std::move(report));
}

void BlockRunner::raise_at(ThreadIndex thread, FaultReport report) const {
  report.thread = position_of(thread, launch_->block);
  report.thread_known = true;
  raise_fault(std::move(report));
}

}  // namespace greta::sim
