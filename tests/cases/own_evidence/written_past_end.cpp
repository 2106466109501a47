// A kernel writes ten floats past the end of a buffer, within its last page: nothing faults.
#include "gpu.h"

int main(int count, char** words) {
  const bool past = is(count, words, "past");
  const hipModule_t module = load_kernels();
  constexpr int n = 1000;
  float* values = on_device<float>(n);
  const int many = past ? n + 10 : n;
  launch(kernel(module, "set"), 8, 128, nullptr, values, 1.0f, many);
  OK(hipDeviceSynchronize());
  expect(to_host(values, n)[n - 1] == 1.0f, "the values are there");
  OK(hipFree(values));
  return 0;
}
