// Results of two streams land in pinned memory.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 4096;
  float *results[2], *pinned = nullptr;
  hipStream_t streams[2];
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 2 * n * sizeof(float), 0));
  for (int i = 0; i < 2; ++i) {
    OK(hipStreamCreate(&streams[i]));
    OK(hipMalloc(reinterpret_cast<void**>(&results[i]), n * sizeof(float)));
    launch(set, n / 256, 256, streams[i], results[i], 1.0f + i, n);
    float* landing = pinned + i * n;
    OK(hipMemcpyAsync(landing, results[i], n * sizeof(float), hipMemcpyDeviceToHost, streams[i]));
  }
  for (auto& stream : streams) OK(hipStreamSynchronize(stream));
  return 0;
}
