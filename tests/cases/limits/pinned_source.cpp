// The host writes the next values into pinned memory: before the upload has read the old, or after.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* values = on_device<float>(n);
  float* host = pinned<float>(n);
  for (int i = 0; i < n; ++i) host[i] = 1.0f;
  hold(module, stream);
  OK(hipMemcpyAsync(values, host, n * sizeof(float), hipMemcpyHostToDevice, stream));
  if (!early) OK(hipStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) host[i] = 2.0f;
  OK(hipStreamSynchronize(stream));
  const float sent = to_host(values, n)[n - 1];
  if (early) {
    tell(sent == 2.0f, "the next values were sent");
  } else {
    expect(sent == 1.0f, "the old values were sent");
  }
  return 0;
}
