// Two streams fill the left and the right columns of one matrix.
#include "gpu.h"

int main() {
  constexpr size_t rows = 64, pitch = 1024, half = pitch / 2;
  char *matrix = nullptr, *left = nullptr, *right = nullptr;
  hipStream_t streams[2];
  for (auto& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipMalloc(reinterpret_cast<void**>(&matrix), rows * pitch));
  OK(hipHostMalloc(reinterpret_cast<void**>(&left), rows * pitch, 0));
  OK(hipHostMalloc(reinterpret_cast<void**>(&right), rows * pitch, 0));
  constexpr size_t width = half;
  OK(hipMemcpy2DAsync(matrix, pitch, left, pitch, width, rows, hipMemcpyHostToDevice, streams[0]));
  OK(hipMemcpy2DAsync(matrix + half, pitch, right, pitch, half, rows, hipMemcpyHostToDevice,
                      streams[1]));
  OK(hipDeviceSynchronize());
  std::vector<char> host(rows * pitch);
  OK(hipMemcpy(host.data(), matrix, rows * pitch, hipMemcpyDeviceToHost));
  return 0;
}
