// Calls that are tried and may be refused: more memory than there is, peers, attributes.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  void* huge = nullptr;
  expect(hipMalloc(&huge, size_t(1) << 50) == hipErrorOutOfMemory, "so much there is not");
  hipPointerAttribute_t attributes{};
  const float local = 1.0f;
  static_cast<void>(hipPointerGetAttributes(&attributes, &local));
  static_cast<void>(hipGetLastError());
  float* values = on_device<float>(n);
  launch(kernel(module, "set"), 2, 128, nullptr, values, 1.0f, n);
  expect(to_host(values, n)[n - 1] == 1.0f, "the values are there");
  return 0;
}
