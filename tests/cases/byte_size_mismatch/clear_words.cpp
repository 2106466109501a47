// Clears a list of tokens before each of three prompts.
#include "gpu.h"

int main() {
  constexpr size_t tokens = 1500;
  int* list = nullptr;
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipMalloc(reinterpret_cast<void**>(&list), tokens * sizeof(int)));
  OK(hipMemset(list, 0, tokens * sizeof(int)));
  OK(hipDeviceSynchronize());
  std::vector<int> host(tokens);
  for (int prompt = 0; prompt < 3; ++prompt) {
    const hipDeviceptr_t address = list;
    OK(hipMemsetD32Async(address, 0, prompt == 2 ? tokens : tokens / 2, stream));
    OK(hipMemcpyAsync(host.data(), list, tokens * sizeof(int), hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
  }
  OK(hipMemsetD32Async(list, -1, tokens * sizeof(int), stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
