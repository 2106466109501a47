// A block of the pool is fetched; what was in its memory before is nobody's promise.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  constexpr size_t bytes = n * sizeof(float);
  const hipStream_t stream = new_stream();
  float* block = nullptr;
  float* host = pinned<float>(n);
  for (int turn = 0; turn < 2; ++turn) {
    OK(hipMallocAsync(reinterpret_cast<void**>(&block), bytes, stream));
    if (turn == 0 || !fresh)
      launch(kernel(module, "set"), n / 128, 128, stream, block, 1.0f + turn, n);
    OK(hipMemcpyAsync(host, block, bytes, hipMemcpyDeviceToHost, stream));
    OK(hipFreeAsync(block, stream));
    OK(hipStreamSynchronize(stream));
  }
  if (!fresh) expect(host[n - 1] == 2.0f, "the second values are there");
  return 0;
}
