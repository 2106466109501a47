// The columns of a matrix are moved to the right, by less than are moved.
#include "gpu.h"

int main() {
  constexpr size_t row = 512, rows = 64, by = 128;
  char* matrix = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&matrix), rows * row));
  OK(hipMemsetAsync(matrix, 1, rows * row, stream));
  OK(hipMemcpy2DAsync(matrix + by, row, matrix, row, row - by, rows, hipMemcpyDeviceToDevice,
                      stream));
  std::vector<char> host(rows * row);
  OK(hipMemcpyAsync(host.data(), matrix, host.size(), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
