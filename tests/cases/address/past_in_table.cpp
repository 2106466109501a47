// A kernel runs past the end of a buffer that it found in a table.
#include "gpu.h"

int main(int count, char** words) {
  const bool past = is(count, words, "past");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  float* first = on_device(std::vector<float>(n, 0.0f));
  float* second = on_device(std::vector<float>(n, 0.0f));
  float** table = on_device(std::vector<float*>{first, second});
  const int many = past ? 8 * n : n;
  launch(kernel(module, "fill_through_table"), many / 128, 128, nullptr, table, 1, 5.0f, many);
  OK(hipDeviceSynchronize());
  expect(!past && to_host(second, n)[n - 1] == 5.0f, "the second is filled");
  return 0;
}
