// Launches that HIP refuses, each with its right twin.
#include "gpu.h"

struct Shape {
  unsigned blocks, threads, shared;
};

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr unsigned n = 512;
  float* x = on_device(std::vector<float>(n, 1.0f));
  float* sums = on_device(std::vector<float>(n, 0.0f));
  Shape shape{n / 128, 128, 128 * sizeof(float)};
  if (is(count, words, "no blocks")) shape.blocks = 0;
  if (is(count, words, "too many threads")) shape.threads = 2048;
  if (is(count, words, "too much shared memory")) shape.shared = 1 << 20;
  void* arguments[] = {&x, &sums};
  OK(hipModuleLaunchKernel(kernel(module, "sum_of_block"), shape.blocks, 1, 1, shape.threads, 1, 1,
                           shape.shared, nullptr, arguments, nullptr));
  OK(hipDeviceSynchronize());
  expect(to_host(sums, n)[n / 128 - 1] == 128.0f, "all blocks are summed");
  return 0;
}
