// A large registered block of the heap is freed while a download into it is queued.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr size_t n = 1 << 20, bytes = n * sizeof(float);  // large enough for pages of its own
  const hipStream_t stream = new_stream();
  float* block = static_cast<float*>(std::malloc(bytes));
  OK(hipHostRegister(block, bytes, hipHostRegisterDefault));
  float* values = on_device(std::vector<float>(n, 3.0f));
  hold(module, stream);
  OK(hipMemcpyAsync(block, values, bytes, hipMemcpyDeviceToHost, stream));
  if (early) {
    std::free(block);
    OK(hipStreamSynchronize(stream));
    return 0;
  }
  OK(hipStreamSynchronize(stream));
  expect(block[n - 1] == 3.0f, "the values are there");
  OK(hipHostUnregister(block));
  std::free(block);
  return 0;
}
