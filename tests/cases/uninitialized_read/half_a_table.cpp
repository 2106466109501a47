// Only half of a table has been loaded when rows of all of it are looked up.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  const std::vector<float> rows(n, 1.0f);
  std::vector<int> wanted(n);
  for (int i = 0; i < n; ++i) wanted[i] = n - 1 - i;
  float* table = on_device<float>(n);
  OK(hipMemcpy(table, rows.data(), n * sizeof(float) / (fresh ? 2 : 1), hipMemcpyHostToDevice));
  int* ids = on_device(wanted);
  float* out = on_device(std::vector<float>(n, 0.0f));
  launch(kernel(module, "gather"), n / 128, 128, nullptr, table, ids, out, n);
  expect(to_host(out, n)[n - 1] == 1.0f, "the first row is there");
  return 0;
}
