/* C++ only: calls that name a kernel or a variable of the device itself, not its address. */
#ifndef GRETA_HIP_HIP_TYPED_CALLS_H
#define GRETA_HIP_HIP_TYPED_CALLS_H

#include "hip/hip_functions.h"

/* Inlined even where nothing is optimized: a recording then finds the user's line around it. */
#define GRETA_HIP_WRAPPER inline __attribute__((always_inline))

template <class T>
GRETA_HIP_WRAPPER hipError_t hipGetSymbolAddress(void** address, const T& symbol) {
  return ::hipGetSymbolAddress(address, static_cast<const void*>(&symbol));
}
template <class T>
GRETA_HIP_WRAPPER hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
  return ::hipGetSymbolSize(size, static_cast<const void*>(&symbol));
}
template <class T>
GRETA_HIP_WRAPPER hipError_t hipMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                               size_t offset = 0,
                                               hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return ::hipMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
GRETA_HIP_WRAPPER hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                    size_t offset, hipMemcpyKind kind,
                                                    hipStream_t stream = 0) {
  return ::hipMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, bytes, offset, kind,
                                  stream);
}
template <class T>
GRETA_HIP_WRAPPER hipError_t hipMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                                 size_t offset = 0,
                                                 hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return ::hipMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
GRETA_HIP_WRAPPER hipError_t hipMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                      size_t offset, hipMemcpyKind kind,
                                                      hipStream_t stream = 0) {
  return ::hipMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), bytes, offset, kind,
                                    stream);
}

template <class F>
GRETA_HIP_WRAPPER hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, F* kernel) {
  return ::hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipFuncSetAttribute(F* kernel, hipFuncAttribute attribute, int value) {
  return ::hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel,
                                                               size_t shared_bytes = 0,
                                                               int most_threads = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel),
                                             shared_bytes, most_threads);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel,
                                                                          int threads,
                                                                          size_t shared_bytes = 0) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), threads, shared_bytes);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, F kernel, int threads, size_t shared_bytes = 0, unsigned int flags = 0) {
  return ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), threads, shared_bytes, flags);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                        F kernel,
                                                                        size_t shared_bytes = 0,
                                                                        int most_threads = 0,
                                                                        unsigned int = 0) {
  return ::hipOccupancyMaxPotentialBlockSize(grid, block, reinterpret_cast<const void*>(kernel),
                                             shared_bytes, most_threads);
}
/* The shared memory depends on the size of the block: the largest block for which as many threads
 * run at once as for any. */
template <class F, class BytesOf>
inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F kernel,
                                                                BytesOf bytes_of,
                                                                int most_threads = 0) {
  const void* function = reinterpret_cast<const void*>(kernel);
  int largest = 0, threads_at_once = 0, device = 0, units = 0;
  hipError_t error = ::hipOccupancyMaxPotentialBlockSize(grid, &largest, function, 0, most_threads);
  if (error == hipSuccess) error = hipGetDevice(&device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  *block = *grid = 0;
  for (int threads = largest; error == hipSuccess && threads > 0; threads -= 64) {
    int blocks = 0;
    error = ::hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                           bytes_of(threads));
    if (blocks * threads <= threads_at_once) continue;
    threads_at_once = blocks * threads;
    *block = threads;
    *grid = blocks * units;
  }
  return error;
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipFuncSetCacheConfig(F* kernel, hipFuncCache_t config) {
  return ::hipFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipFuncSetSharedMemConfig(F* kernel, hipSharedMemConfig config) {
  return ::hipFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipLaunchKernel(F* kernel, dim3 grid, dim3 block, void** arguments,
                                             size_t shared_bytes = 0, hipStream_t stream = 0) {
  return ::hipLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                           shared_bytes, stream);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipExtLaunchKernel(F* kernel, dim3 grid, dim3 block, void** arguments,
                                                size_t shared_bytes, hipStream_t stream,
                                                hipEvent_t start, hipEvent_t stop, int flags) {
  return ::hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                              shared_bytes, stream, start, stop, flags);
}
template <class F>
GRETA_HIP_WRAPPER hipError_t hipLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block,
                                                        void** arguments, unsigned int shared_bytes,
                                                        hipStream_t stream) {
  return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                      shared_bytes, stream);
}

#undef GRETA_HIP_WRAPPER

#endif
