// Scales some values, and they are right.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  float* values = on_device(std::vector<float>(256, 1.0f));
  launch(kernel(module, "scale"), 2, 128, nullptr, values, 2.0f, 256);
  OK(hipDeviceSynchronize());
  expect(to_host(values, 256)[255] == 2.0f, "the values are scaled");
  return 0;
}
