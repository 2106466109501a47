// The host waits for an event before it adds up what has arrived.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 1 << 16;
  float *device = nullptr, *pinned = nullptr;
  hipStream_t stream;
  hipEvent_t event;
  OK(hipStreamCreate(&stream));
  OK(hipEventCreate(&event));
  OK(hipMalloc(reinterpret_cast<void **>(&device), n * sizeof(float)));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), n * sizeof(float), hipHostMallocDefault));
  launch(set, n / 256, 256, stream, device, 1.0f, n);
  OK(hipEventRecord(event, stream));
  OK(hipMemcpyAsync(pinned, device, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  OK(hipEventSynchronize(event));
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += pinned[i];
  std::printf("%g\n", sum);
  OK(hipStreamSynchronize(stream));
  return 0;
}
