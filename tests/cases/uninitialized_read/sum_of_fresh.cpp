// A kernel adds to sums that were never set to zero.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* sums = on_device<float>(n);
  float* x = on_device(std::vector<float>(n, 1.0f));
  if (!fresh) OK(hipMemset(sums, 0, n * sizeof(float)));
  launch(kernel(module, "add"), n / 128, 128, nullptr, sums, x, sums, n);
  const std::vector<float> found = to_host(sums, n);
  if (!fresh) expect(found[n - 1] == 1.0f, "all are one");
  return 0;
}
