// Pool memory is freed on another stream than it was made on, after an event; the next takes its
// place.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 256;
  constexpr size_t bytes = n * sizeof(float);
  const hipStream_t one = new_stream(), two = new_stream();
  float* host = pinned<float>(n);
  for (int turn = 0; turn < 50; ++turn) {
    float* block = nullptr;
    OK(hipMallocAsync(reinterpret_cast<void**>(&block), bytes, one));
    launch(set, 2, 128, one, block, float(turn), n);
    after(two, one);
    OK(hipMemcpyAsync(host, block, bytes, hipMemcpyDeviceToHost, two));
    OK(hipFreeAsync(block, two));
    OK(hipStreamSynchronize(two));
    expect(host[n - 1] == float(turn), "the turn's values");
  }
  return 0;
}
