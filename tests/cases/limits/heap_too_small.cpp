// A download into ordinary memory: as large as the result, or smaller. Nobody tells HIP its size.
#include "gpu.h"

int main(int count, char** words) {
  const bool small = is(count, words, "small");
  constexpr int n = 1024;
  float* values = on_device(std::vector<float>(n, 3.0f));
  std::vector<float> both(n + 256, 1.0f);  // the program's arena: a landing place, then its weights
  const int landing = small ? n - 128 : n;
  OK(hipMemcpy(both.data(), values, n * sizeof(float), hipMemcpyDeviceToHost));
  expect((both[landing] != 1.0f) == small, "what became of the weights");
  return 0;
}
