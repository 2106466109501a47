// A variable of the device holds the address of the weights; it is changed before they are freed.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  void* variable = nullptr;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(&variable, &bytes, module, "current_weights"));
  float *out = on_device<float>(n), *old = nullptr;
  for (int i = 0; i < 3; ++i) {
    float* weights = on_device(std::vector<float>(n, float(i)));
    OK(hipMemcpy(variable, &weights, sizeof weights, hipMemcpyHostToDevice));
    if (old != nullptr) OK(hipFree(old));
    old = weights;
    launch(kernel(module, "read_through_global"), 2, 128, nullptr, out, n);
    expect(to_host(out, n)[n - 1] == float(i), "the newest weights are used");
  }
  return 0;
}
