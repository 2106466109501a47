// Two streams count into one histogram.
#include "gpu.h"

int main(int count, char** words) {
  const bool plain = is(count, words, "plain");
  const hipModule_t module = load_kernels();
  const hipFunction_t counting = kernel(module, plain ? "count_alone" : "count_atomically");
  constexpr int n = 1 << 18, bins = 32;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % bins;
  const hipStream_t one = new_stream(), two = new_stream();
  int* first = on_device(values);
  int* second = on_device(values);
  int* counts = on_device(std::vector<int>(bins, 0));
  launch(counting, n / 128, 128, one, first, counts, n);
  launch(counting, n / 128, 128, two, second, counts, n);
  OK(hipDeviceSynchronize());
  const std::vector<int> found = to_host(counts, bins);
  int counted = 0;
  for (const int bin : found) counted += bin;
  if (plain) {
    tell(counted < 2 * n, "some are lost");
  } else {
    expect(counted == 2 * n, "everything is counted");
  }
  return 0;
}
