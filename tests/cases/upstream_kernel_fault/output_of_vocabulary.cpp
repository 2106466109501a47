// Logits for a vocabulary that has grown.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t matvec = kernel(module, "matvec");
  constexpr int old_vocabulary = 32000, vocabulary = 32000, hidden = 8;
  float *weights = nullptr, *x = nullptr, *logits = nullptr;
  OK(hipMalloc(reinterpret_cast<void **>(&weights), vocabulary * hidden * sizeof(float)));
  OK(hipMalloc(reinterpret_cast<void **>(&x), hidden * sizeof(float)));
  OK(hipMalloc(reinterpret_cast<void **>(&logits), old_vocabulary * sizeof(float)));
  OK(hipMemset(weights, 0, vocabulary * hidden * sizeof(float)));
  OK(hipMemset(x, 0, hidden * sizeof(float)));
  OK(hipDeviceSynchronize());
  launch(matvec, vocabulary / 256, 256, nullptr, weights, x, logits, vocabulary, hidden);
  std::vector<float> host(old_vocabulary);
  OK(hipMemcpy(host.data(), logits, host.size() * sizeof(float), hipMemcpyDeviceToHost));
  OK(hipFree(logits));
  return 0;
}
