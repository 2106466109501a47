// Reaches far past the end of a buffer.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 1 << 18;
  float* values = on_device(std::vector<float>(256, 1.0f));
  launch(kernel(module, "scale"), n / 128, 128, nullptr, values, 2.0f, n);
  OK(hipDeviceSynchronize());
  return 0;
}
