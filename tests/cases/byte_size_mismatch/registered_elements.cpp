// Registers a vector and receives results in it.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 2048;
  std::vector<float> results(n);
  float* device = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&device), n * sizeof(float)));
  OK(hipHostRegister(results.data(), results.size(), hipHostRegisterDefault));
  launch(kernel(module, "set"), n / 256, 256, stream, device, 4.0f, n);
  OK(hipMemcpyAsync(results.data(), device, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipHostUnregister(results.data()));
  std::printf("%g\n", results[n - 1]);
  return 0;
}
