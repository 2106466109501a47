// A buffer is copied to another, and that one fetched; nothing was ever put into the first.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  constexpr int n = 1024;
  constexpr size_t bytes = n * sizeof(float);
  float* first = fresh ? on_device<float>(n) : on_device(std::vector<float>(n, 1.0f));
  float* second = on_device<float>(n);
  OK(hipMemcpy(second, first, bytes, hipMemcpyDeviceToDevice));
  OK(hipDeviceSynchronize());
  const std::vector<float> found = to_host(second, n);
  if (!fresh) expect(found[n - 1] == 1.0f, "all are one");
  return 0;
}
