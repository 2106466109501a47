/* HIP's keywords. To a compiler of kernels (clang -x hip) they are attributes; to others they are
 * nothing, so that a header with __host__ __device__ functions compiles everywhere. */
#ifndef GRETA_HIP_HIP_KERNEL_KEYWORDS_H
#define GRETA_HIP_HIP_KERNEL_KEYWORDS_H

#if defined(__clang__) && defined(__HIP__)

/* Clang includes a header with these by itself, unless it was told -nogpuinc. */
#ifndef __CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#endif

#define GRETA_HIP_THREADS(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define GRETA_HIP_THREADS_AND_WAVES(threads, waves) \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define GRETA_HIP_THIRD(first, second, third, ...) third
/* (threads) or (threads, waves): the third of these is the macro for as many arguments. */
#define __launch_bounds__(...)                                                         \
  GRETA_HIP_THIRD(__VA_ARGS__, GRETA_HIP_THREADS_AND_WAVES, GRETA_HIP_THREADS, unused) \
  (__VA_ARGS__)

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__

#endif

#endif
