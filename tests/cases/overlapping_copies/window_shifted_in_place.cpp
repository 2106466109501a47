// Half of a cache's window goes: what stays is moved to the front, over itself.
#include "gpu.h"

int main() {
  constexpr size_t row = 512, rows = 64, dropped = 24;
  char* cache = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&cache), rows * row));
  OK(hipMemsetAsync(cache, 1, rows * row, stream));
  OK(hipMemcpyAsync(cache, cache + dropped * row, (rows - dropped) * row, hipMemcpyDeviceToDevice,
                    stream));
  std::vector<char> host(rows * row);
  OK(hipMemcpyAsync(host.data(), cache, host.size(), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
