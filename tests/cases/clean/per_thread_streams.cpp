// Each thread works on its own default stream and waits for it.
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([set, i] {
      constexpr int n = 256;
      float *values = on_device<float>(n), *host = pinned<float>(n);
      launch(set, 2, 128, hipStreamPerThread, values, float(i), n);
      OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost,
                        hipStreamPerThread));
      OK(hipStreamSynchronize(hipStreamPerThread));
      expect(host[n - 1] == float(i), "the thread's own values");
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
