// An index that leads out of one buffer into another live one: no fault, wrong values.
#include "gpu.h"

int main(int count, char** words) {
  const bool far = is(count, words, "far");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* first = on_device(std::vector<float>(n, 1.0f));
  float* second = on_device(std::vector<float>(n, 2.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  const long apart = second - first;
  launch(kernel(module, "shifted"), n / 128, 128, nullptr, first, out, far ? int(apart) : 0, n);
  OK(hipDeviceSynchronize());
  expect(to_host(out, n)[n - 1] == (far ? 2.0f : 1.0f), "where the values come from");
  return 0;
}
