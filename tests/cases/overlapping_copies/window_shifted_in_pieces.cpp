// Half of a cache's window goes: what stays is moved to the front, in pieces that do not overlap,
// and its left columns beside themselves.
#include "gpu.h"

int main() {
  constexpr size_t row = 512, rows = 64, dropped = 24;
  char* cache = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&cache), rows * row));
  OK(hipMemsetAsync(cache, 1, rows * row, stream));
  for (size_t first = 0; first < rows - dropped; first += dropped) {
    const size_t left = rows - dropped - first;
    const size_t piece = left < dropped ? left : dropped;
    OK(hipMemcpyAsync(cache + first * row, cache + (first + dropped) * row, piece * row,
                      hipMemcpyDeviceToDevice, stream));
  }
  OK(hipMemcpy2DAsync(cache + row / 2, row, cache, row, row / 2, rows, hipMemcpyDeviceToDevice,
                      stream));
  std::vector<char> host(rows * row);
  OK(hipMemcpyAsync(host.data(), cache, host.size(), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
