// One thread for each of two devices; nothing is shared.
#include <thread>

#include "gpu.h"

static void work(int device) {
  OK(hipSetDevice(device));
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  float* values = on_device(std::vector<float>(n, 1.0f));
  for (int i = 0; i < 100; ++i) launch(kernel(module, "scale"), 2, 128, nullptr, values, 1.0f, n);
  OK(hipDeviceSynchronize());
  expect(to_host(values, n)[n - 1] == 1.0f, "the values are right");
}

int main() {
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  return 0;
}
