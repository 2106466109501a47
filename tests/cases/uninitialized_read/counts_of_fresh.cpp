// A kernel counts into bins that were never set to zero.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024, bins = 16;
  int* counts = on_device<int>(bins);
  int* values = on_device(std::vector<int>(n, 3));
  if (!fresh) OK(hipMemset(counts, 0, bins * sizeof(int)));
  launch(kernel(module, "count_atomically"), n / 128, 128, nullptr, values, counts, n);
  const int found = to_host(counts + 3, 1)[0];
  if (!fresh) expect(found == n, "all are threes");
  return 0;
}
