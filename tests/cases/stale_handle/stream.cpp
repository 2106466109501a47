// Work is put on a stream that has been destroyed, or on the one that took its place.
#include "gpu.h"

int main(int count, char** words) {
  const bool stale = is(count, words, "stale");
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 1024;
  float* values = on_device<float>(n);
  const hipStream_t old = new_stream();
  launch(set, n / 128, 128, old, values, 1.0f, n);
  OK(hipStreamSynchronize(old));
  OK(hipStreamDestroy(old));
  const hipStream_t stream = stale ? old : new_stream();
  OK(hipMemsetAsync(values, 0, n * sizeof(float), stream));
  OK(hipStreamSynchronize(stream));
  expect(!stale && to_host(values, n)[0] == 0.0f, "all are zero");
  return 0;
}
