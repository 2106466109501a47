// The host waits for an event and fetches what the kernel made.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 4096;
  float *result = nullptr, *pinned = nullptr;
  hipStream_t compute, copies;
  hipEvent_t event;
  OK(hipStreamCreateWithFlags(&compute, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&copies, hipStreamNonBlocking));
  OK(hipEventCreate(&event));
  OK(hipMalloc(reinterpret_cast<void **>(&result), n * sizeof(float)));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), n * sizeof(float), hipHostMallocDefault));
  launch(set, n / 128, 128, compute, result, 1.0f, n);
  OK(hipEventRecord(event, compute));
  OK(hipEventSynchronize(event));
  OK(hipMemcpyAsync(pinned, result, n * sizeof(float), hipMemcpyDeviceToHost, copies));
  OK(hipStreamSynchronize(copies));
  OK(hipStreamSynchronize(compute));
  OK(hipHostFree(pinned));
  return 0;
}
