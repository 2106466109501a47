// 2,000 batches through two staging buffers: each is filled again when its upload is over.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 64, batches = 2000;
  constexpr size_t bytes = n * sizeof(float);
  const hipStream_t stream = new_stream();
  float *staging[2], *results[2];
  hipEvent_t free_again[2];
  for (int i = 0; i < 2; ++i) staging[i] = pinned<float>(n), results[i] = pinned<float>(n);
  for (hipEvent_t &event : free_again) event = new_event();
  float *in = on_device<float>(n), *out = on_device<float>(n);
  for (int batch = 0; batch < batches; ++batch) {
    const int slot = batch % 2;
    if (batch >= 2) {
      OK(hipEventSynchronize(free_again[slot]));
      expect(results[slot][n - 1] == float(batch - 2) * float(batch - 2),
             "the batch before is right");
    }
    for (int i = 0; i < n; ++i) staging[slot][i] = float(batch);
    OK(hipMemcpyAsync(in, staging[slot], bytes, hipMemcpyHostToDevice, stream));
    launch(square, 1, n, stream, in, out, n);
    OK(hipMemcpyAsync(results[slot], out, bytes, hipMemcpyDeviceToHost, stream));
    OK(hipEventRecord(free_again[slot], stream));
  }
  OK(hipStreamSynchronize(stream));
  return 0;
}
