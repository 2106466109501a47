// What the programs of these tests begin with: a module, two streams, and buffers.
#pragma once

#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <fstream>
#include <iterator>
#include <vector>

struct Program {
  explicit Program(char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
    hipModuleLoadData(&module, code.data());
    hipModuleGetFunction(&scale, module, "scale");
    hipModuleGetFunction(&add, module, "add");
    hipModuleGetFunction(&fill, module, "fill");
    hipStreamCreate(&one);
    hipStreamCreateWithFlags(&two, hipStreamNonBlocking);
    hipMalloc(&device, 4096);
    hipMalloc(&other, 4096);
    hipHostMalloc(&pinned, 4096, 0);
  }

  void launch_scale(float* values, int n, hipStream_t stream) const {
    float factor = 2;
    void* given[] = {&values, &n, &factor};
    const unsigned blocks = (n + 63) / 64;
    hipModuleLaunchKernel(scale, blocks, 1, 1, 64, 1, 1, 0, stream, given, nullptr);
  }

  hipModule_t module = nullptr;
  hipFunction_t scale = nullptr, add = nullptr, fill = nullptr;
  hipStream_t one = nullptr, two = nullptr;
  float *device = nullptr, *other = nullptr, *pinned = nullptr;
  float pageable[1024] = {};
};
