// An id that the table does not have: the row that is read is another buffer's, and nothing faults.
#include "gpu.h"

int main(int count, char** words) {
  const bool far = is(count, words, "far");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* table = on_device(std::vector<float>(n, 1.0f));
  float* other = on_device(std::vector<float>(n, 2.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  int* ids = on_device(std::vector<int>(n, far ? int(other - table) + 7 : 7));
  launch(kernel(module, "gather"), n / 128, 128, nullptr, table, ids, out, n);
  OK(hipDeviceSynchronize());
  expect(to_host(out, n)[n - 1] == (far ? 2.0f : 1.0f), "where the values come from");
  return 0;
}
