// Answers requests until it is asked to end: whenever that is, it waits for the device.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t linger = kernel(module, "linger");
  float* values = on_device(std::vector<float>(256, 0.0f));
  lose_patience();
  for (;;) {
    launch(linger, 1, 1, nullptr, 30000000);
    launch(kernel(module, "set"), 2, 128, nullptr, values, 1.0f, 256);
    OK(hipDeviceSynchronize());
    expect(to_host(values, 256)[0] == 1.0f, "the values are there");
  }
}
