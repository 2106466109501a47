// A table of pointers in device memory outlives one of the buffers that it names.
#include "gpu.h"

int main(int count, char** words) {
  const bool freed = is(count, words, "freed");
  const hipModule_t module = load_kernels();
  constexpr int n = 2048;
  std::vector<const float*> pointers;
  for (int i = 0; i < 4; ++i) pointers.push_back(on_device(std::vector<float>(n, float(i))));
  const float** table = on_device(pointers);
  float* out = on_device(std::vector<float>(4, 0.0f));
  if (freed) OK(hipFree(const_cast<float*>(pointers[2])));
  launch(kernel(module, "read_through_table"), 1, 64, nullptr, table, out, 4);
  OK(hipDeviceSynchronize());
  expect(!freed && to_host(out, 4)[3] == 3.0f, "all are read");
  return 0;
}
