// What the C++ programs in this folder share: the kernels, a launch, and an end at the first error.
#ifndef GRETA_TESTS_CASES_GPU_H
#define GRETA_TESTS_CASES_GPU_H

#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define OK(call)                                                               \
  do {                                                                         \
    const hipError_t error_of_call = (call);                                   \
    if (error_of_call != hipSuccess) {                                         \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error_of_call)); \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

inline hipModule_t load_kernels() {
  std::ifstream file(KERNELS_FILE);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source.c_str(), "kernels.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 0, nullptr);
  hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  hipModule_t module;
  OK(hipModuleLoadData(&module, code.data()));
  return module;
}

inline hipFunction_t kernel(hipModule_t module, const char* name) {
  hipFunction_t function;
  OK(hipModuleGetFunction(&function, module, name));
  return function;
}

template <typename... Values>
void launch(hipFunction_t function, int blocks, int threads, hipStream_t stream, Values... values) {
  void* arguments[] = {&values...};
  OK(hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}

#endif  // GRETA_TESTS_CASES_GPU_H
