// Downloads in a loop through a pinned buffer.
#include "gpu.h"

int main() {
  constexpr size_t bytes = 1 << 15;
  void *device = nullptr, *pinned = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(&device, bytes));
  OK(hipHostMalloc(&pinned, bytes, hipHostMallocDefault));
  for (int step = 0; step < 3; ++step) {
    OK(hipMemsetAsync(device, step, bytes, stream));
    OK(hipMemcpyAsync(pinned, device, bytes, hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    if (step == 2) OK(hipHostFree(pinned));
  }
  OK(hipFree(device));
  return 0;
}
