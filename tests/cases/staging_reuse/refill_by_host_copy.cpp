// A pinned buffer is refilled by hipMemcpy, which does not wait for a non-blocking stream.
#include "gpu.h"

int main() {
  constexpr size_t bytes = 1 << 16;
  char *pinned = nullptr, *device = nullptr;
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), bytes, hipHostMallocDefault));
  OK(hipMalloc(reinterpret_cast<void **>(&device), 2 * bytes));
  const std::vector<char> first(bytes, 1), second(bytes, 2);
  OK(hipMemcpy(pinned, first.data(), bytes, hipMemcpyHostToHost));
  OK(hipMemcpyAsync(device, pinned, bytes, hipMemcpyHostToDevice, stream));
  OK(hipMemcpy(pinned, second.data(), bytes, hipMemcpyHostToHost));
  OK(hipMemcpyAsync(device + bytes, pinned, bytes, hipMemcpyHostToDevice, stream));
  OK(hipStreamSynchronize(stream));
  std::vector<char> back(bytes);
  OK(hipMemcpy(back.data(), device, bytes, hipMemcpyDeviceToHost));
  std::printf("%d\n", back[0]);
  return 0;
}
