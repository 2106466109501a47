// Modules are loaded and unloaded; each kernel is used while its module is there.
#include "gpu.h"

int main() {
  constexpr int n = 128;
  float* values = on_device(std::vector<float>(n, 1.0f));
  for (int i = 0; i < 4; ++i) {
    const hipModule_t module = load_kernels();
    launch(kernel(module, "scale"), 1, n, nullptr, values, 2.0f, n);
    OK(hipDeviceSynchronize());
    OK(hipModuleUnload(module));
  }
  expect(to_host(values, n)[n - 1] == 16.0f, "scaled four times");
  return 0;
}
