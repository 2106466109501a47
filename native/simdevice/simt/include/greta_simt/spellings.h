// Loads with a hint about caches, which are ordinary loads here, and the older spellings of names.
#pragma GCC system_header
#ifndef GRETA_SIMT_SPELLINGS_H
#define GRETA_SIMT_SPELLINGS_H

#include "greta_simt/platform.h"

#define GRETA_SIMT_HINTED_LOAD(NAME)           \
  template <class T>                           \
  GRETA_SIMT_INLINE T NAME(const T* address) { \
    return *address;                           \
  }
GRETA_SIMT_HINTED_LOAD(__ldg)
GRETA_SIMT_HINTED_LOAD(__ldca)
GRETA_SIMT_HINTED_LOAD(__ldcg)
GRETA_SIMT_HINTED_LOAD(__ldcs)
GRETA_SIMT_HINTED_LOAD(__ldcv)
GRETA_SIMT_HINTED_LOAD(__ldlu)
#undef GRETA_SIMT_HINTED_LOAD
#define GRETA_SIMT_HINTED_STORE(NAME)                       \
  template <class T>                                        \
  GRETA_SIMT_INLINE void NAME(T* address, const T& value) { \
    *address = value;                                       \
  }
GRETA_SIMT_HINTED_STORE(__stcg)
GRETA_SIMT_HINTED_STORE(__stcs)
GRETA_SIMT_HINTED_STORE(__stwb)
GRETA_SIMT_HINTED_STORE(__stwt)
#undef GRETA_SIMT_HINTED_STORE

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_KERNEL_NAME(...) __VA_ARGS__

#endif
