// Where a thread is in its block and grid, and the barriers of a block.
#pragma GCC system_header
#ifndef GRETA_GPU_BLOCK_H
#define GRETA_GPU_BLOCK_H

#include "greta_simt/vector_types.h"
#include "hip/hip_runtime_api.h"

namespace greta_simt {

// The number of blocks stands at the beginning of what the runtime adds to a kernel's arguments;
// before code object version 5 only the packet of the launch tells it, as threads.
GRETA_GPU_DEVICE unsigned block_count(int dimension) {
#if GRETA_GPU_ABI < 500
  const auto* packet = (const unsigned short*)__builtin_amdgcn_dispatch_ptr();
  const unsigned threads = ((const unsigned*)packet)[3 + dimension], block = packet[2 + dimension];
  return (threads + block - 1) / block;
#else
  return ((const unsigned*)__builtin_amdgcn_implicitarg_ptr())[dimension];
#endif
}

// threadIdx and its kind: their members are read by functions, so that they are registers.
#define GRETA_GPU_PLACE(NAME, X, Y, Z)                                                  \
  struct NAME {                                                                         \
    __declspec(property(get = get_x)) unsigned x;                                       \
    __declspec(property(get = get_y)) unsigned y;                                       \
    __declspec(property(get = get_z)) unsigned z;                                       \
    static inline __attribute__((device, always_inline)) unsigned get_x() { return X; } \
    static inline __attribute__((device, always_inline)) unsigned get_y() { return Y; } \
    static inline __attribute__((device, always_inline)) unsigned get_z() { return Z; } \
    inline __attribute__((device, always_inline)) operator dim3() const {               \
      return dim3(get_x(), get_y(), get_z());                                           \
    }                                                                                   \
    inline __attribute__((device, always_inline)) operator uint3() const {              \
      return uint3(get_x(), get_y(), get_z());                                          \
    }                                                                                   \
  };
GRETA_GPU_PLACE(thread_index, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                __builtin_amdgcn_workitem_id_z())
GRETA_GPU_PLACE(block_index, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                __builtin_amdgcn_workgroup_id_z())
GRETA_GPU_PLACE(block_size, __builtin_amdgcn_workgroup_size_x(),
                __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
GRETA_GPU_PLACE(grid_size, block_count(0), block_count(1), block_count(2))
#undef GRETA_GPU_PLACE

}  // namespace greta_simt

extern const __attribute__((device, weak)) greta_simt::thread_index threadIdx;
extern const __attribute__((device, weak)) greta_simt::block_index blockIdx;
extern const __attribute__((device, weak)) greta_simt::block_size blockDim;
extern const __attribute__((device, weak)) greta_simt::grid_size gridDim;

namespace greta_simt {

GRETA_GPU_DEVICE unsigned linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
GRETA_GPU_DEVICE unsigned lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
// Behind the counts and sizes a runtime puts the address of what grids on several devices share;
// only a cooperative launch has one.
GRETA_GPU_DEVICE bool has_grid_barrier() {
  constexpr int place = GRETA_GPU_ABI < 500 ? 6 : 11;
  return ((const unsigned long*)__builtin_amdgcn_implicitarg_ptr())[place] != 0;
}

}  // namespace greta_simt

GRETA_GPU_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

namespace greta_simt {
// As the device library of ROCm has it: a thread of each block waits at the barrier that the
// hardware has for a grid.
inline __attribute__((device)) void grid_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  __builtin_amdgcn_s_barrier();
  if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0)
    __builtin_amdgcn_ds_gws_barrier(gridDim.x * gridDim.y * gridDim.z - 1, 0);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

// How many threads of the block say yes. The counter is in use from one barrier to the last.
inline __attribute__((device)) int count_in_block(bool predicate) {
  static __attribute__((shared)) int counter;
  if (linear_thread() == 0) counter = 0;
  __syncthreads();
  if (predicate)
    __hip_atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  const int count = counter;
  __syncthreads();
  return count;
}
}  // namespace greta_simt

GRETA_GPU_DEVICE int __syncthreads_count(int predicate) {
  return greta_simt::count_in_block(predicate != 0);
}
GRETA_GPU_DEVICE int __syncthreads_and(int predicate) {
  return greta_simt::count_in_block(predicate == 0) == 0;
}
GRETA_GPU_DEVICE int __syncthreads_or(int predicate) {
  return greta_simt::count_in_block(predicate != 0) != 0;
}

GRETA_GPU_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
GRETA_GPU_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
GRETA_GPU_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

#endif
