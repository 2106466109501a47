/* C++ only: allocation calls that take the address of a typed pointer, so that no cast is needed.
 */
#ifndef GRETA_HIP_HIP_TYPED_ALLOCATION_H
#define GRETA_HIP_HIP_TYPED_ALLOCATION_H

#include "hip/hip_functions.h"

/* Inlined even where nothing is optimized: a recording then finds the user's line around it. */
#define GRETA_HIP_WRAPPER inline __attribute__((always_inline))

template <class T>
GRETA_HIP_WRAPPER hipError_t hipMalloc(T** pointer, size_t bytes) {
  return hipMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipHostMalloc(T** pointer, size_t bytes,
                                           unsigned int flags = hipHostMallocDefault) {
  return hipHostMalloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipHostAlloc(T** pointer, size_t bytes,
                                          unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipMallocManaged(T** pointer, size_t bytes,
                                              unsigned int flags = hipMemAttachGlobal) {
  return hipMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipMallocPitch(T** pointer, size_t* pitch, size_t width,
                                            size_t height) {
  return hipMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipMallocAsync(T** pointer, size_t bytes, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipMallocFromPoolAsync(T** pointer, size_t bytes, hipMemPool_t pool,
                                                    hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

template <class T>
GRETA_HIP_WRAPPER hipError_t hipHostGetDevicePointer(T** device, void* host,
                                                     unsigned int flags = 0) {
  return hipHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

#undef GRETA_HIP_WRAPPER

#endif
