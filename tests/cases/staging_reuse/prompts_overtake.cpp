// Prompts of two threads share one device buffer; a wait stands between them.
#include <thread>

#include "gpu.h"

int main() {
  constexpr size_t bytes = 1 << 15;
  char *shared = nullptr, *results = nullptr, *prompt = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&shared), bytes));
  OK(hipHostMalloc(reinterpret_cast<void**>(&results), bytes, 0));
  OK(hipHostMalloc(reinterpret_cast<void**>(&prompt), bytes, 0));
  OK(hipMemset(shared, 1, bytes));
  OK(hipDeviceSynchronize());
  hipStream_t streams[2];
  for (auto& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  std::thread fetching(
      [&] { OK(hipMemcpyAsync(results, shared, bytes, hipMemcpyDeviceToHost, streams[0])); });
  fetching.join();
  std::thread sending([&] {
    OK(hipMemcpyAsync(shared, prompt, bytes, hipMemcpyHostToDevice, streams[1]));
    OK(hipStreamSynchronize(streams[1]));
  });
  sending.join();
  OK(hipDeviceSynchronize());
  return 0;
}
