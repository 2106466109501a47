// Two batches pass through one pinned buffer.
#include "gpu.h"

int main() {
  constexpr int n = 1 << 16, batches = 2;
  constexpr size_t bytes = n * sizeof(int);
  int *pinned = nullptr, *device = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipHostMalloc(reinterpret_cast<void **>(&pinned), bytes, hipHostMallocDefault));
  OK(hipMalloc(reinterpret_cast<void **>(&device), batches * bytes));
  OK(hipMemset(device, 0, batches * bytes));
  for (int batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < n; ++i) pinned[i] = batch + i;
    OK(hipMemcpyAsync(device + batch * n, pinned, bytes, hipMemcpyHostToDevice, stream));
  }
  OK(hipStreamSynchronize(stream));
  std::vector<int> back(n);
  OK(hipMemcpy(back.data(), device, bytes, hipMemcpyDeviceToHost));
  std::printf("%d\n", back[0]);
  return 0;
}
