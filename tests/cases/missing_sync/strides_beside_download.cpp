// A kernel whose threads go through the data in strides; the second half is fetched.
#include "gpu.h"

int main() {
  const char* source =
      "extern \"C\" __global__ void ramp(float* x, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
      "    x[i] = i;\n"
      "}\n";
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source, "ramp.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 0, nullptr);
  hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  hipModule_t module;
  OK(hipModuleLoadData(&module, code.data()));
  constexpr int n = 1 << 16;
  float *x = nullptr, *pinned = nullptr;
  hipStream_t streams[2];
  for (auto& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipMalloc(reinterpret_cast<void**>(&x), n * sizeof(float)));
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), n * sizeof(float), hipHostMallocDefault));
  launch(kernel(module, "ramp"), 4, 256, streams[0], x, n);
  OK(hipMemcpyAsync(pinned, x + n / 2, n / 2 * sizeof(float), hipMemcpyDeviceToHost, streams[1]));
  OK(hipDeviceSynchronize());
  std::printf("%g\n", pinned[0]);
  return 0;
}
