// Barriers of a block and of a grid, and memory fences.
#pragma GCC system_header
#ifndef GRETA_SIMT_BARRIER_H
#define GRETA_SIMT_BARRIER_H

#include "greta_simt/block.h"

namespace greta_simt {

struct barrier_votes {
  uint32_t count, arrived;
};

inline barrier_votes block_barrier(int predicate) {
  barrier_votes votes;
  position_keeper position;
  position.resume(services().block_barrier(current_block, linear_thread(), predicate, &votes.count,
                                           &votes.arrived));
  return votes;
}

// The device says so at the barrier itself, in a launch that is not cooperative.
GRETA_SIMT_INLINE bool has_grid_barrier() { return true; }

inline void grid_barrier() {
  position_keeper position;
  position.resume(services().grid_barrier(current_block, linear_thread()));
}

}  // namespace greta_simt

GRETA_SIMT_INLINE void __syncthreads() { greta_simt::block_barrier(0); }
GRETA_SIMT_INLINE int __syncthreads_count(int predicate) {
  return static_cast<int>(greta_simt::block_barrier(predicate).count);
}
GRETA_SIMT_INLINE int __syncthreads_and(int predicate) {
  greta_simt::barrier_votes votes = greta_simt::block_barrier(predicate);
  return votes.count == votes.arrived;
}
GRETA_SIMT_INLINE int __syncthreads_or(int predicate) {
  return greta_simt::block_barrier(predicate).count != 0;
}

GRETA_SIMT_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GRETA_SIMT_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GRETA_SIMT_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
