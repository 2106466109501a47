// The device side of HIP for kernels that run on the CPU.
#pragma GCC system_header
#ifndef GRETA_SIMT_HIP_RUNTIME_H
#define GRETA_SIMT_HIP_RUNTIME_H

#include "greta_simt/amdgcn.h"
#include "greta_simt/atomics.h"
#include "greta_simt/barrier.h"
#include "greta_simt/conversions.h"
#include "greta_simt/device_math.h"
#include "greta_simt/integer.h"
#include "greta_simt/kernel.h"
#include "greta_simt/output.h"
#include "greta_simt/vector_types.h"
#include "greta_simt/wave.h"

// Loads with a hint about caches; ordinary loads here.
#define GRETA_SIMT_HINTED_LOAD(NAME)           \
  template <class T>                           \
  GRETA_SIMT_INLINE T NAME(const T* address) { \
    return *address;                           \
  }
GRETA_SIMT_HINTED_LOAD(__ldg)
GRETA_SIMT_HINTED_LOAD(__ldca)
GRETA_SIMT_HINTED_LOAD(__ldcg)
GRETA_SIMT_HINTED_LOAD(__ldcs)
#undef GRETA_SIMT_HINTED_LOAD

// The older spellings.
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
#define HIP_KERNEL_NAME(...) __VA_ARGS__

#endif
