// What a recording must tell of machine code: faults to the byte, and which bytes a launch accesses.
#include "gpu.h"

DEVICE u32 counter;

static inline DEVICE u32 global_thread() { return block_x() * block_size_x() + thread_x(); }

// Right where `out` and `in` have n words.
KERNEL(copy_words) {
  const u32 i = global_thread();
  if (i < n) out[i] = in[i];
}

KERNEL(every_other) {
  const u32 i = global_thread();
  if (i < n) out[2 * i] = in[i] + 1;
}

KERNEL(histogram) { atomic_add(&out[thread_x() % 4], in[0]); }

// What another kernel may wait for: stored atomically, and as volatile.
KERNEL(raise_flags) {
  if (global_thread() != 0) return;
  __hip_atomic_store(&out[0], n, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  *(volatile u32*)&out[1] = __hip_atomic_load(&in[0], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  out[2] = n;
}

KERNEL(count) {
  if (global_thread() == 0) counter = n;
}

// Right where `in` holds numbers below the size of the block.
KERNEL(shared_at) {
  SHARED u32 values[64];
  values[in[thread_x()]] = thread_x();
  barrier();
  out[thread_x()] = values[63 - thread_x()];
}
