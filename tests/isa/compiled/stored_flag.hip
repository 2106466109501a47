// A producer that sets a flag with a store, and consumers that wait for it, or do not.
// Compiled by `greta hipcc --genco -O1` and kept; launched with one block of 64 threads.
#include <hip/hip_runtime.h>

#define KERNEL(name) extern "C" __global__ void name(int* data, int* flag, int* out, int n)

KERNEL(produce) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

KERNEL(await) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
      __builtin_amdgcn_s_sleep(1);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = data[i];
}

KERNEL(hurry) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = data[i];
}
