// Memory is freed and allocated 1,000 times, often at the same address.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  for (int i = 0; i < 1000; ++i) {
    const int n = 32 + i % 3;
    float* values = on_device<float>(n);
    launch(set, 1, 64, nullptr, values, float(i), n);
    if (i % 100 == 0) expect(to_host(values, n)[n - 1] == float(i), "the values are right");
    OK(hipFree(values));
  }
  return 0;
}
