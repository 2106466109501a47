// Downloads a result.
#include "gpu.h"

int main() {
  constexpr size_t bytes = 4096;
  void* device = nullptr;
  std::vector<char> host(bytes);
  OK(hipMalloc(&device, bytes));
  OK(hipMemset(device, 1, bytes));
  OK(hipMemcpy(host.data(), device, bytes, hipMemcpyDeviceToHost));
  std::printf("%d\n", host[0]);
  OK(hipFree(device));
  return 0;
}
