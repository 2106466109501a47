// Stream-ordered memory: 3,400 blocks come and go on one stream, many at the same address.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  const hipStream_t stream = new_stream();
  std::vector<float> host(256);
  for (int round = 0; round < 3400; ++round) {
    const int n = 32 * (round % 7 + 1);
    float* block = nullptr;
    OK(hipMallocAsync(reinterpret_cast<void**>(&block), n * sizeof(float), stream));
    launch(set, 1, n, stream, block, float(round), n);
    if (round % 50 == 0) {
      OK(hipMemcpyAsync(host.data(), block, n * sizeof(float), hipMemcpyDeviceToHost, stream));
      OK(hipStreamSynchronize(stream));
      expect(host[n - 1] == float(round), "the block is right");
    }
    OK(hipFreeAsync(block, stream));
  }
  OK(hipStreamSynchronize(stream));
  return 0;
}
