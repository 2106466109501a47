// Launches that need all there is, each in its own way.
#include "gpu.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  unsigned blocks = 1, threads = 64, shared = 64 * sizeof(float);
  if (is(count, words, "threads")) threads = 1024, shared = 1024 * sizeof(float);
  if (is(count, words, "shared memory")) shared = 64 << 10;
  if (is(count, words, "blocks")) blocks = 70000;
  const size_t n = size_t(blocks) * threads;
  float* x = on_device(std::vector<float>(n, 1.0f));
  float* sums = on_device(std::vector<float>(blocks, 0.0f));
  void* arguments[] = {&x, &sums};
  OK(hipModuleLaunchKernel(kernel(module, "sum_of_block"), blocks, 1, 1, threads, 1, 1, shared,
                           nullptr, arguments, nullptr));
  OK(hipDeviceSynchronize());
  expect(to_host(sums, blocks)[blocks - 1] == float(threads), "all blocks are summed");
  return 0;
}
