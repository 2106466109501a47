// A kernel compiled at run time, in C++.
//
//   g++ -std=c++17 examples/saxpy.cpp $(greta sim --cflags --libs) -o saxpy
//   greta sim -- ./saxpy
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr char kSource[] = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)";

void check(hipError_t error) {
  if (error != hipSuccess) throw std::runtime_error(hipGetErrorString(error));
}

void check(hiprtcResult result) {
  if (result != HIPRTC_SUCCESS) throw std::runtime_error(hiprtcGetErrorString(result));
}

std::vector<char> compile() {
  hipDeviceProp_t properties;
  check(hipGetDeviceProperties(&properties, 0));
  std::printf("%s (%s)\n", properties.name, properties.gcnArchName);

  hiprtcProgram program;
  check(hiprtcCreateProgram(&program, kSource, "saxpy.hip", 0, nullptr, nullptr));
  const std::string architecture = std::string("--offload-arch=") + properties.gcnArchName;
  const char* options[] = {architecture.c_str()};
  const hiprtcResult result = hiprtcCompileProgram(program, 1, options);
  if (result != HIPRTC_SUCCESS) {
    size_t bytes = 0;
    check(hiprtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, '\0');
    check(hiprtcGetProgramLog(program, log.data()));
    throw std::runtime_error(log);
  }
  size_t bytes = 0;
  check(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  check(hiprtcGetCode(program, code.data()));
  check(hiprtcDestroyProgram(&program));
  return code;
}

float* to_device(const std::vector<float>& values) {
  float* memory = nullptr;
  const size_t bytes = values.size() * sizeof(float);
  check(hipMalloc(reinterpret_cast<void**>(&memory), bytes));
  check(hipMemcpy(memory, values.data(), bytes, hipMemcpyHostToDevice));
  return memory;
}

void run() {
  const std::vector<char> code = compile();
  hipModule_t module;
  hipFunction_t saxpy;
  check(hipModuleLoadData(&module, code.data()));
  check(hipModuleGetFunction(&saxpy, module, "saxpy"));

  int n = 100000;
  float a = 2.0f;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1.0f;
  }
  float* device_x = to_device(x);
  float* device_y = to_device(y);

  void* arguments[] = {&a, &device_x, &device_y, &n};
  const unsigned block = 256;
  const unsigned grid = (n + block - 1) / block;
  check(hipModuleLaunchKernel(saxpy, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr));
  check(hipMemcpy(y.data(), device_y, n * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (std::fabs(y[i] - (2.0f * i + 1.0f)) > 1e-3f) throw std::runtime_error("wrong result");
  }
  check(hipFree(device_x));
  check(hipFree(device_y));
  check(hipModuleUnload(module));
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "saxpy: %s\n", error.what());
    return 1;
  }
  std::puts("ok");
  return 0;
}
