// Two streams work on memory of their own; the second one is waited for first.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 4096;
  float* buffers[2];
  hipStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    OK(hipStreamCreateWithFlags(&streams[i], hipStreamNonBlocking));
    OK(hipMalloc(reinterpret_cast<void**>(&buffers[i]), n * sizeof(float)));
  }
  launch(set, 2 * n / 256, 256, streams[0], buffers[0], 1.0f, 2 * n);
  launch(set, n / 256, 256, streams[1], buffers[1], 2.0f, n);
  std::vector<float> host(n);
  OK(hipMemcpyAsync(host.data(), buffers[1], n * sizeof(float), hipMemcpyDeviceToHost, streams[1]));
  OK(hipStreamSynchronize(streams[1]));
  OK(hipMemcpyAsync(host.data(), buffers[0], n * sizeof(float), hipMemcpyDeviceToHost, streams[0]));
  OK(hipStreamSynchronize(streams[0]));
  return 0;
}
