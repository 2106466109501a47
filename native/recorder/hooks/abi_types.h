// The few structs that HIP passes by value, as the ABI lays them out.
#pragma once

#include <cstddef>

namespace greta::recorder::abi {

struct dim3 {
  unsigned int x, y, z;
};

struct hipExtent {
  size_t width, height, depth;
};

struct hipPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};

struct hipMemLocation {
  int type, id;
};

struct hipIpcMemHandle_t {
  char reserved[64];
};

struct hipIpcEventHandle_t {
  char reserved[64];
};

// What the recorder reads of the parameters of a kernel node (AMD's layout, 64 bytes).
struct hipKernelNodeParams {
  dim3 block_dim;
  void** extra;
  void* function;
  dim3 grid_dim;
  void** kernel_params;
  unsigned int shared_bytes;
};

// Elements of the lists that launches on several devices are given.
struct hipLaunchParams {
  void* function;
  dim3 grid_dim;
  dim3 block_dim;
  void** kernel_params;
  size_t shared_bytes;
  void* stream;
};
struct hipFunctionLaunchParams {
  void* function;
  dim3 grid_dim;
  dim3 block_dim;
  unsigned int shared_bytes;
  void* stream;
  void** kernel_params;
};

static_assert(offsetof(hipLaunchParams, kernel_params) == 32 && sizeof(hipLaunchParams) == 56);
static_assert(offsetof(hipFunctionLaunchParams, stream) == 40 &&
              sizeof(hipFunctionLaunchParams) == 56);
static_assert(sizeof(dim3) == 12 && sizeof(hipExtent) == 24 && sizeof(hipPitchedPtr) == 32);
static_assert(offsetof(hipKernelNodeParams, function) == 24 &&
              offsetof(hipKernelNodeParams, kernel_params) == 48 &&
              sizeof(hipKernelNodeParams) == 64);

}  // namespace greta::recorder::abi
