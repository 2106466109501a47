// All copies are between the device and ordinary memory, and return when they are done.
#include "gpu.h"

int main() {
  constexpr int n = 4096;
  float* values = on_device(std::vector<float>(n, 1.0f));
  float* others = on_device(std::vector<float>(n, 2.0f));
  expect(to_host(values, n)[0] == 1.0f && to_host(others, n)[0] == 2.0f, "both come back");
  return 0;
}
