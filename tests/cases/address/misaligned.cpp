// Vectors of four floats, from the second float on.
#include "gpu.h"

int main(int count, char** words) {
  const bool odd = is(count, words, "odd");
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  float* in = on_device(std::vector<float>(4 * n + 4, 1.0f));
  float* out = on_device(std::vector<float>(4 * n, 0.0f));
  launch(kernel(module, "copy_vectors"), 2, 128, nullptr, in + (odd ? 1 : 4), out, n);
  OK(hipDeviceSynchronize());
  expect(!odd && to_host(out, 4 * n)[4 * n - 1] == 1.0f, "all are copied");
  return 0;
}
