// One thread computes on its own default stream, the next one downloads on its own.
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 8192;
  float *result = nullptr, *pinned = nullptr;
  OK(hipMalloc(reinterpret_cast<void **>(&result), n * sizeof(float)));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), n * sizeof(float), hipHostMallocDefault));
  std::thread producer([&] { launch(set, n / 256, 256, hipStreamPerThread, result, 1.0f, n); });
  producer.join();
  std::thread consumer([&] {
    OK(hipMemcpyAsync(pinned, result, n * sizeof(float), hipMemcpyDeviceToHost,
                      hipStreamPerThread));
    OK(hipStreamSynchronize(hipStreamPerThread));
  });
  consumer.join();
  OK(hipDeviceSynchronize());
  return 0;
}
