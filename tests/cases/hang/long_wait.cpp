// One wait takes much longer than the others, and ends.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t linger = kernel(module, "linger");
  float* values = on_device(std::vector<float>(256, 0.0f));
  for (const int rounds : {1, 1, 1, 500000000}) {
    launch(linger, 1, 1, nullptr, rounds);
    launch(kernel(module, "set"), 2, 128, nullptr, values, 1.0f, 256);
    OK(hipDeviceSynchronize());
  }
  expect(to_host(values, 256)[0] == 1.0f, "the values are there");
  return 0;
}
