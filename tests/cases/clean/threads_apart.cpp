// Four threads, each with a stream and buffers of its own, 650 rounds each.
#include <thread>

#include "gpu.h"

static void work(hipFunction_t scale, float factor) {
  constexpr int n = 64;
  const hipStream_t stream = new_stream();
  float *values = on_device<float>(n), *host = pinned<float>(n);
  for (int round = 0; round < 650; ++round) {
    for (int i = 0; i < n; ++i) host[i] = float(round);
    OK(hipMemcpyAsync(values, host, n * sizeof(float), hipMemcpyHostToDevice, stream));
    launch(scale, 1, n, stream, values, factor, n);
    OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    expect(host[n - 1] == factor * float(round), "the round is right");
  }
  OK(hipFree(values));
  OK(hipHostFree(host));
  OK(hipStreamDestroy(stream));
}

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale = kernel(module, "scale");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, scale, float(i + 1));
  for (std::thread& thread : threads) thread.join();
  return 0;
}
