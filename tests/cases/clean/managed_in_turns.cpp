// Host and device take turns in managed memory.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale = kernel(module, "scale");
  constexpr int n = 256;
  float* values = nullptr;
  OK(hipMallocManaged(reinterpret_cast<void**>(&values), n * sizeof(float), hipMemAttachGlobal));
  for (int i = 0; i < n; ++i) values[i] = 1.0f;
  for (int turn = 0; turn < 20; ++turn) {
    launch(scale, 2, 128, nullptr, values, 2.0f, n);
    OK(hipDeviceSynchronize());
    for (int i = 0; i < n; ++i) values[i] /= 2.0f;
  }
  expect(to_host(values, n)[n - 1] == 1.0f, "as it was");
  return 0;
}
