// A kernel is given the host's side of a transfer, or the device's.
#include "gpu.h"

int main(int count, char** words) {
  const bool host = is(count, words, "host");
  const hipModule_t module = load_kernels();
  constexpr int n = 1 << 16;
  std::vector<float> values(n, 2.0f);
  float* in = on_device(values);
  float* out = on_device(std::vector<float>(n, 0.0f));
  launch(kernel(module, "square"), n / 256, 256, nullptr, host ? values.data() : in, out, n);
  OK(hipDeviceSynchronize());
  expect(!host && to_host(out, n)[n - 1] == 4.0f, "all are squared");
  return 0;
}
