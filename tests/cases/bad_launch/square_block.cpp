// A square block: each side is small, and all threads together are too many, or just as many.
#include "gpu.h"

int main(int count, char** words) {
  const unsigned side = is(count, words, "40 x 40") ? 40 : 32;
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  float* values = on_device(std::vector<float>(n, 0.0f));
  float one = 1.0f;
  int all = n;
  void* arguments[] = {&values, &one, &all};
  OK(hipModuleLaunchKernel(kernel(module, "set"), n / side, 1, 1, side, side, 1, 0, nullptr,
                           arguments, nullptr));
  OK(hipDeviceSynchronize());
  expect(to_host(values, n)[0] == 1.0f, "the first is set");
  return 0;
}
