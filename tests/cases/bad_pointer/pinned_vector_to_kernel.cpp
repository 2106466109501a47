// A kernel reads its input directly from the host.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 1 << 16;
  float *in = nullptr, *out = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void **>(&in), n * sizeof(float), hipHostMallocMapped));
  OK(hipMalloc(reinterpret_cast<void **>(&out), n * sizeof(float)));
  launch(kernel(module, "square"), n / 256, 256, nullptr, in, out, n);
  std::vector<float> host(n);
  OK(hipMemcpy(host.data(), out, n * sizeof(float), hipMemcpyDeviceToHost));
  std::printf("%g\n", host[0]);
  return 0;
}
