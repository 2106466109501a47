// One buffer for each layer; the list has one more layer than buffers.
#include "gpu.h"

int main() {
  constexpr int layers = 4;
  constexpr size_t bytes = 2048;
  void* buffers[layers] = {};
  for (int layer = 0; layer < layers; ++layer) OK(hipMalloc(&buffers[layer], bytes));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  std::vector<char> host(bytes);
  for (void* buffer : buffers) {
    OK(hipMemcpyAsync(buffer, host.data(), bytes, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyAsync(host.data(), buffer, bytes, hipMemcpyDeviceToHost, stream));
  }
  OK(hipStreamSynchronize(stream));
  return 0;
}
