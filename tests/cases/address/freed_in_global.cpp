// A variable of the device holds the address of weights that may be gone.
#include "gpu.h"

int main(int count, char** words) {
  const bool freed = is(count, words, "freed");
  const hipModule_t module = load_kernels();
  constexpr int n = 2048;
  float* old = on_device(std::vector<float>(n, 1.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  void* variable = nullptr;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(&variable, &bytes, module, "current_weights"));
  OK(hipMemcpy(variable, &old, sizeof old, hipMemcpyHostToDevice));
  const hipFunction_t read = kernel(module, "read_through_global");
  launch(read, n / 128, 128, nullptr, out, n);
  OK(hipDeviceSynchronize());
  if (freed) OK(hipFree(old));
  launch(read, n / 128, 128, nullptr, out, n);
  OK(hipDeviceSynchronize());
  expect(!freed && to_host(out, n)[n - 1] == 1.0f, "all are read");
  return 0;
}
