// Blocking streams and the default stream wait for each other; nobody else needs to.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  const hipStream_t one = new_stream(hipStreamDefault), two = new_stream(hipStreamDefault);
  float *values = on_device<float>(n), *others = on_device<float>(n);
  hold(module, one);
  launch(kernel(module, "set"), n / 128, 128, one, values, 2.0f, n);
  launch(kernel(module, "square"), n / 128, 128, nullptr, values, others, n);
  launch(kernel(module, "scale"), n / 128, 128, two, others, 3.0f, n);
  expect(to_host(others, n)[n - 1] == 12.0f, "in turn");
  return 0;
}
