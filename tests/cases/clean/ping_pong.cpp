// 3,500 launches between two buffers on one stream, with an event after each pair: 10,000 calls.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t negate = kernel(module, "negate");
  constexpr int n = 64;
  const hipStream_t stream = new_stream();
  const hipEvent_t event = new_event();
  float *a = on_device(std::vector<float>(n, 1.0f)), *b = on_device<float>(n);
  for (int i = 0; i < 3500; ++i) {
    launch(negate, 1, n, stream, a, b);
    launch(negate, 1, n, stream, b, a);
    OK(hipEventRecord(event, stream));
  }
  OK(hipEventSynchronize(event));
  expect(to_host(a, n)[n - 1] == 1.0f, "as it was");
  return 0;
}
