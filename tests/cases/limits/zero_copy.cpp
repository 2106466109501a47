// A kernel writes into pinned memory itself; the host looks before it waits, or after.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* host = pinned<float>(n, hipHostMallocMapped);
  float* device = nullptr;
  OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  for (int i = 0; i < n; ++i) host[i] = 0.0f;
  hold(module, stream);
  launch(kernel(module, "set"), n / 128, 128, stream, device, 3.0f, n);
  if (!early) OK(hipStreamSynchronize(stream));
  const float seen = *static_cast<volatile float*>(host);
  OK(hipStreamSynchronize(stream));
  expect_seen(early, seen);
  expect(to_host(host, n)[0] == 3.0f, "the copy has it");
  return 0;
}
