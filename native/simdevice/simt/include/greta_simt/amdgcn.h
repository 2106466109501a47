// The AMD compiler builtins that portable kernels use, and the GPU's clocks.
#pragma GCC system_header
#ifndef GRETA_SIMT_AMDGCN_H
#define GRETA_SIMT_AMDGCN_H

#include <time.h>

#include "greta_simt/barrier.h"
#include "greta_simt/wave.h"

#define __builtin_amdgcn_workitem_id_x() (threadIdx.x)
#define __builtin_amdgcn_workitem_id_y() (threadIdx.y)
#define __builtin_amdgcn_workitem_id_z() (threadIdx.z)
#define __builtin_amdgcn_workgroup_id_x() (blockIdx.x)
#define __builtin_amdgcn_workgroup_id_y() (blockIdx.y)
#define __builtin_amdgcn_workgroup_id_z() (blockIdx.z)
#define __builtin_amdgcn_workgroup_size_x() (blockDim.x)
#define __builtin_amdgcn_workgroup_size_y() (blockDim.y)
#define __builtin_amdgcn_workgroup_size_z() (blockDim.z)
#define __builtin_amdgcn_grid_size_x() (gridDim.x * blockDim.x)
#define __builtin_amdgcn_grid_size_y() (gridDim.y * blockDim.y)
#define __builtin_amdgcn_grid_size_z() (gridDim.z * blockDim.z)
#define __builtin_amdgcn_wavefrontsize() (64)
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __builtin_amdgcn_s_sleep(n) __builtin_ia32_pause()
#define __builtin_amdgcn_s_setprio(n) static_cast<void>(0)
#define __builtin_amdgcn_s_waitcnt(n) static_cast<void>(0)
#define __builtin_amdgcn_sched_barrier(n) static_cast<void>(0)
#define __builtin_amdgcn_sched_group_barrier(a, b, c) static_cast<void>(0)
#define __builtin_amdgcn_iglp_opt(n) static_cast<void>(0)
#define __builtin_amdgcn_fence(...) __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_amdgcn_rcpf(x) (1.0f / (x))
#define __builtin_amdgcn_rsqf(x) rsqrtf(x)
#define __builtin_amdgcn_exp2f(x) exp2f(x)
#define __builtin_amdgcn_logf(x) __builtin_log2f(x)
#define __builtin_amdgcn_sqrtf(x) __builtin_sqrtf(x)
#define __builtin_amdgcn_fractf(x) ((x) - __builtin_floorf(x))
#define __builtin_amdgcn_ubfe(x, offset, width) __bitextract_u32(x, offset, width)
#define __builtin_amdgcn_perm(high, low, selector) __byte_perm(low, high, selector)
#define __builtin_amdgcn_mbcnt_lo(mask, value) \
  ((value) + __popc((mask) & static_cast<unsigned>((1ull << greta_simt::lane()) - 1)))
#define __builtin_amdgcn_mbcnt_hi(mask, value) \
  ((value) + __popc((mask) & static_cast<unsigned>(((1ull << greta_simt::lane()) - 1) >> 32)))
#define __builtin_amdgcn_sdot4(a, b, c, clamp) __dp4a(a, b, c)
#define __builtin_amdgcn_udot4(a, b, c, clamp) \
  __dp4a(static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c))
#define __builtin_amdgcn_ballot_w64(predicate) __ballot(predicate)
#define __builtin_amdgcn_read_exec() __activemask()
#define __builtin_nontemporal_load(address) (*(address))
#define __builtin_nontemporal_store(value, address) (*(address) = (value))

namespace greta_simt {

template <class T>
inline T read_first_lane(const T& value, const void* place) {
  const greta_simt_wave& wave = exchange(to_bits(value), place);
  return value_of<T>(wave, __builtin_ctzll(wave.active));
}
template <class T>
inline T read_lane(const T& value, int source, const void* place) {
  return value_of<T>(exchange(to_bits(value), place), source);
}

}  // namespace greta_simt

template <class T>
GRETA_SIMT_INLINE T __builtin_amdgcn_readfirstlane(T value, GRETA_SIMT_CALLER) {
  return greta_simt::read_first_lane(value, GRETA_SIMT_PLACE(read_lane));
}
template <class T>
GRETA_SIMT_INLINE T __builtin_amdgcn_readlane(T value, int source, GRETA_SIMT_CALLER) {
  return greta_simt::read_lane(value, source, GRETA_SIMT_PLACE(read_lane));
}
GRETA_SIMT_INLINE int __builtin_amdgcn_ds_bpermute(int address, int value, GRETA_SIMT_CALLER) {
  return greta_simt::read_lane(value, address >> 2, GRETA_SIMT_PLACE(read_lane));
}

GRETA_SIMT_INLINE unsigned __hip_ds_bpermute(int address, unsigned value, GRETA_SIMT_CALLER) {
  return greta_simt::read_lane(value, address >> 2, GRETA_SIMT_PLACE(read_lane));
}
GRETA_SIMT_INLINE float __hip_ds_bpermutef(int address, float value, GRETA_SIMT_CALLER) {
  return greta_simt::read_lane(value, address >> 2, GRETA_SIMT_PLACE(read_lane));
}

GRETA_SIMT_INLINE long long __clock64() { return static_cast<long long>(__builtin_ia32_rdtsc()); }
GRETA_SIMT_INLINE long long clock64() { return __clock64(); }
GRETA_SIMT_INLINE long long __clock() { return __clock64(); }
// The constant clock of AMD's GPUs ticks at 100 MHz.
inline long long wall_clock64() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 100000000ll + now.tv_nsec / 10;
}
#define __builtin_readcyclecounter() __builtin_ia32_rdtsc()
#define __builtin_amdgcn_s_memtime() __builtin_ia32_rdtsc()
#define __builtin_amdgcn_s_memrealtime() wall_clock64()

#endif
