// One half of a buffer is filled, and the other one is fetched.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  constexpr int n = 2048, half = n / 2;
  const std::vector<float> ones(half, 1.0f);
  float* values = on_device<float>(n);
  OK(hipMemcpy(values, ones.data(), half * sizeof(float), hipMemcpyHostToDevice));
  const std::vector<float> found = to_host(values + (fresh ? half : 0), half);
  if (!fresh) expect(found[half - 1] == 1.0f, "all are one");
  return 0;
}
