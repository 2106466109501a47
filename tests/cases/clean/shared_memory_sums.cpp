// Sums of blocks in shared memory, then the sum of the sums.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 4096, threads = 256, blocks = n / threads;
  float* x = on_device(std::vector<float>(n, 1.0f));
  float *sums = on_device<float>(blocks), *total = on_device<float>(1);
  const hipFunction_t sum = kernel(module, "sum_of_block");
  void* first[] = {&x, &sums};
  void* second[] = {&sums, &total};
  OK(hipModuleLaunchKernel(sum, blocks, 1, 1, threads, 1, 1, threads * 4, nullptr, first, nullptr));
  OK(hipModuleLaunchKernel(sum, 1, 1, 1, blocks, 1, 1, blocks * 4, nullptr, second, nullptr));
  expect(to_host(total, 1)[0] == float(n), "everything is summed");
  return 0;
}
