// Grids are rounded up to whole blocks, and the last threads do nothing; the buffers are just
// enough.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  const hipStream_t one = new_stream(), two = new_stream();
  constexpr int n = 1000;
  float* both = on_device<float>(2 * n);
  launch(set, 8, 128, one, both, 1.0f, n);
  launch(set, 8, 128, two, both + n, 2.0f, n);
  OK(hipDeviceSynchronize());
  const std::vector<float> host = to_host(both, 2 * n);
  expect(host[n - 1] == 1.0f && host[n] == 2.0f, "both parts are filled");
  return 0;
}
