// A kernel is given an old scratch buffer that it does not use; and one buffer may be too small.
#include "gpu.h"

int main(int count, char** words) {
  const bool small = is(count, words, "small");
  const hipModule_t module = load_kernels();
  constexpr int n = 8192;
  float* x = on_device(std::vector<float>(small ? n / 2 : n, 1.0f));
  float* scratch = on_device<float>(n);
  OK(hipFree(scratch));
  launch(kernel(module, "with_scratch"), n / 128, 128, nullptr, x, scratch, 0, n);
  OK(hipDeviceSynchronize());
  expect(!small && to_host(x, n)[n - 1] == 2.0f, "all are counted up");
  return 0;
}
