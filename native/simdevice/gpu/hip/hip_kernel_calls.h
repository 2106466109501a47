// The host's calls that name a kernel or a variable of the device itself, not its address.
#pragma GCC system_header
#ifndef GRETA_GPU_HIP_KERNEL_CALLS_H
#define GRETA_GPU_HIP_KERNEL_CALLS_H

#include "hip/hip_runtime_api.h"

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, blocks, threads, bytes, stream, ...) \
  do {                                                                  \
    kernel<<<blocks, threads, bytes, stream>>>(__VA_ARGS__);            \
  } while (0)

// Inlined even where nothing is optimized: a recording then finds the user's line around it.
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
GRETA_HIP_WRAPPER hipError_t hipLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block,
                                                        void** arguments, unsigned int shared_bytes,
                                                        hipStream_t stream) {
  return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                      shared_bytes, stream);
}

#undef GRETA_HIP_WRAPPER

#endif
