// A window that looks back: before the first token there is nothing.
#include "gpu.h"

int main(int count, char** words) {
  const bool below = is(count, words, "below");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* tokens = on_device(std::vector<float>(4 * n, 1.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  launch(kernel(module, "shifted"), n / 128, 128, nullptr, tokens, out, below ? -2048 : 2048, n);
  OK(hipDeviceSynchronize());
  expect(!below && to_host(out, n)[n - 1] == 1.0f, "all are read");
  return 0;
}
