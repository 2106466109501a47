// Kernels written by hand in the form of simt/launch_abi.h, and a short way to launch them.
#pragma once

#include <cstdint>
#include <string>

#include "device/executor.h"
#include "simt/launch_abi.h"

namespace greta::sim {

// What one thread of a hand-written kernel sees.
class HandThread {
 public:
  HandThread(const greta_simt_block* block, uint32_t thread) : block_(block), index_(thread) {}

  uint32_t index() const { return index_; }  // linear, in the block
  uint32_t lane() const { return index_ % GRETA_SIMT_WAVE_SIZE; }
  Dim3 position() const { return position_of(index_, block_->block_dim); }
  const greta_simt_block& block() const { return *block_; }
  uint32_t block_x() const { return block_->block_index.x; }
  uint32_t global() const { return block_x() * block_->block_dim.x + index_; }
  bool leaves_loop() const { return leaves_loop_; }

  uint32_t sync() { return sync_count(0); }
  // How many threads brought a non-zero predicate.
  uint32_t sync_count(int predicate) {
    uint32_t count = 0;
    note(block_->services->block_barrier(block_, index_, predicate, &count, &arrived_));
    return count;
  }
  uint32_t arrived() const { return arrived_; }

  const greta_simt_wave& exchange(uintptr_t site, uint64_t value) {
    const greta_simt_wave* wave = nullptr;
    note(block_->services->wave_exchange(block_, index_, reinterpret_cast<const void*>(site), value,
                                         &wave));
    return *wave;
  }
  void grid_sync() { note(block_->services->grid_barrier(block_, index_)); }
  void trap(const char* message) { block_->services->trap(block_, index_, message); }
  void check(const void* address, uint64_t bytes, bool write) {
    block_->services->check_access(block_, index_, address, bytes, write, nullptr);
  }
  __attribute__((format(printf, 2, 3))) int print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int printed = block_->services->print(format, arguments);
    va_end(arguments);
    return printed;
  }

 private:
  void note(int advice) { leaves_loop_ |= advice == GRETA_SIMT_LEAVE_LOOP; }

  const greta_simt_block* block_;
  uint32_t index_;
  uint32_t arrived_ = 0;
  bool leaves_loop_ = false;
};

// The entry function of a kernel whose threads run body(HandThread&, Arguments&).
template <typename Arguments, void (*body)(HandThread&, Arguments&)>
void hand_entry(const greta_simt_block* block, const void* kernarg, uint32_t thread) {
  Arguments& arguments = *static_cast<Arguments*>(const_cast<void*>(kernarg));
  if (thread != GRETA_SIMT_WHOLE_BLOCK) {
    HandThread view(block, thread);
    body(view, arguments);
    return;
  }
  const uint64_t threads = volume(block->block_dim);
  for (uint32_t i = 0; i < threads; ++i) {
    HandThread view(block, i);
    body(view, arguments);
    if (view.leaves_loop()) return;
  }
}

template <typename Arguments, void (*body)(HandThread&, Arguments&)>
FaultReport launch_by_hand(Arguments& arguments, Dim3 grid, Dim3 block, bool cooperative = false) {
  Kernel kernel;
  kernel.name = "by_hand";
  kernel.entry = hand_entry<Arguments, body>;
  kernel.kernarg_bytes = sizeof(Arguments);
  KernelLaunch launch;
  launch.kernel = &kernel;
  launch.grid = grid;
  launch.block = block;
  launch.kernarg = &arguments;
  launch.cooperative = cooperative;
  return execute(launch);
}

}  // namespace greta::sim
