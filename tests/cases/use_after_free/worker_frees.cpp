// A worker computes, another thread owns the memory.
#include <future>
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale = kernel(module, "scale");
  constexpr int n = 3000;
  float* data = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&data), n * sizeof(float)));
  OK(hipMemset(data, 0, n * sizeof(float)));
  std::promise<void> computed, freed;
  std::vector<float> host(n);
  std::thread worker([&] {
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    launch(scale, 12, 256, stream, data, 2.0f, n);
    OK(hipStreamSynchronize(stream));
    computed.set_value();
    freed.get_future().wait();
    OK(hipMemcpyAsync(host.data(), data, n * sizeof(float), hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
  });
  computed.get_future().wait();
  OK(hipFree(data));
  freed.set_value();
  worker.join();
  return 0;
}
