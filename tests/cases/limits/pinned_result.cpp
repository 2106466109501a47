// The host looks at a result in pinned memory: before it has waited, or after.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(n, 3.0f));
  float* host = pinned<float>(n);
  host[0] = 0.0f;
  hold(module, stream);
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  if (!early) OK(hipStreamSynchronize(stream));
  const float seen = *static_cast<volatile float*>(host);
  OK(hipStreamSynchronize(stream));
  expect_seen(early, seen);
  return 0;
}
