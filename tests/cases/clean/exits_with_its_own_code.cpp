// Everything on the device is right; the program ends with 1 because its own test says so.
#include "gpu.h"

int main() {
  constexpr int n = 128;
  float* values = on_device(std::vector<float>(n, 1.0f));
  expect(to_host(values, n)[n - 1] == 1.0f, "the values come back");
  std::puts("score 0.41 is below 0.50");
  return 1;
}
