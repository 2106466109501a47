// Right programs at the edge of their memory, whose machine code may look as if it left it.
#include "gpu.h"

// A compiler loads four words where three are read and the alignment allows it.
DEVICE __attribute__((aligned(16))) u32 three[3] = {1, 2, 3};
DEVICE __attribute__((aligned(8))) u32 five[5] = {1, 2, 3, 4, 5};

KERNEL(three_words) { out[thread_x()] = three[0] + three[1] + three[2]; }
KERNEL(last_three_words) { out[thread_x()] = five[2] + five[3] + five[4]; }

// An index that is often out of range, and then not used.
KERNEL(guarded) {
  SHARED u32 values[64];
  values[thread_x()] = n - thread_x();
  barrier();
  const u32 i = in[thread_x()];
  out[thread_x()] = i < 64 ? values[i] : i;
}
KERNEL(guarded_for_all) {
  SHARED u32 values[64];
  values[thread_x()] = n - thread_x();
  barrier();
  out[thread_x()] = n < 64 ? values[n] : in[63];
}
KERNEL(until_the_end) {
  u32 sum = 0;
  for (u32 i = 0; i < n && in[i] != 0xffffffff; ++i) sum += in[i];
  out[thread_x()] = sum;
}
