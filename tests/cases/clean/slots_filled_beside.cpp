// Continuous batching: new requests are uploaded into free slots while kernels work on the others.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t write_at = kernel(module, "write_at");
  constexpr int n = 128, slots = 8;
  const hipStream_t one = new_stream(), two = new_stream();
  float* batch = on_device(std::vector<float>(slots * n, 0.0f));
  float* incoming = pinned<float>(n);
  for (int i = 0; i < n; ++i) incoming[i] = 9.0f;
  for (int slot = 0; slot < slots; ++slot) {
    launch(write_at, 1, n, one, batch, slot * n, 1.0f, n / 2);
    float* free_half = batch + slot * n + n / 2;
    OK(hipMemcpyAsync(free_half, incoming, n / 2 * sizeof(float), hipMemcpyHostToDevice, two));
  }
  OK(hipDeviceSynchronize());
  const std::vector<float> host = to_host(batch, slots * n);
  expect(host[0] == 1.0f && host[n - 1] == 9.0f, "both halves of a slot");
  return 0;
}
