// Micro-batches on two streams with caches of their own; they share weights that are const.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t matvec = kernel(module, "matvec"), append = kernel(module, "kv_append");
  constexpr int width = 64, steps = 50;
  float* weights = on_device(std::vector<float>(width * width, 1.0f / width));
  float *x[2], *y[2], *cache[2];
  hipStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    x[i] = on_device(std::vector<float>(width, 1.0f + i));
    y[i] = on_device<float>(width);
    cache[i] = on_device<float>(steps * width);
    streams[i] = new_stream();
  }
  OK(hipDeviceSynchronize());
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < 2; ++i) {
      launch(matvec, 1, width, streams[i], weights, x[i], y[i], width, width);
      launch(append, 1, width, streams[i], y[i], cache[i], step, width);
    }
  }
  OK(hipDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    const std::vector<float> host = to_host(cache[i], steps * width);
    expect(host[0] > 0.99f + i && host[steps * width - 1] < 1.01f + i, "the cache is filled");
  }
  return 0;
}
