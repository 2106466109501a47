// Rows of a table are shorter than their pitch; a kernel loads whole rows and sums what is there.
#include "gpu.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr int rows = 8, width = 60, pitch = 64;
  float* table = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&table), rows * pitch * sizeof(float)));
  const std::vector<float> host(rows * pitch, 1.0f);
  const int loaded = is(count, words, "padded") ? width : pitch;
  OK(hipMemcpy2D(table, pitch * sizeof(float), host.data(), pitch * sizeof(float),
                 loaded * sizeof(float), rows, hipMemcpyHostToDevice));
  float* sums = on_device(std::vector<float>(rows, 0.0f));
  launch(kernel(module, "sum_padded"), 1, rows, nullptr, table, sums, width, pitch);
  expect(to_host(sums, rows)[rows - 1] == width, "the padding does not count");
  return 0;
}
