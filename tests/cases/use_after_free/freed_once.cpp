// Two owners of one buffer.
#include "gpu.h"

struct Owner {
  void* memory;
  ~Owner() { std::printf("%d\n", hipFree(memory)); }
};

int main() {
  Owner first{nullptr}, second{nullptr};
  OK(hipMalloc(&first.memory, 8192));
  OK(hipMemset(first.memory, 0, 8192));
  std::vector<char> host(8192);
  OK(hipMemcpy(host.data(), first.memory, 8192, hipMemcpyDeviceToHost));
  std::swap(second.memory, first.memory);
  return 0;
}
