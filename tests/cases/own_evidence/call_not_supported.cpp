// A call that the simulated device does not have: the program needs it, or goes on without.
#include "gpu.h"

int main(int count, char** words) {
  const bool needs_it = is(count, words, "needed");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* values = on_device(std::vector<float>(n, 1.0f));
  int file = 0;
  const hipError_t answer = hipMemGetHandleForAddressRange(&file, values, n * sizeof *values,
                                                           hipMemRangeHandleTypeDmaBufFd, 0);
  expect(answer == hipErrorNotSupported, "the simulated device has no such call");
  if (needs_it) OK(answer);
  launch(kernel(module, "scale"), n / 128, 128, nullptr, values, 2.0f, n);
  OK(hipDeviceSynchronize());
  expect(to_host(values, n)[n - 1] == 2.0f, "the values are scaled");
  return 0;
}
