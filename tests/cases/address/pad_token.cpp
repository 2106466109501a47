// A row of a table for each token; the token that fills up a batch is -1, and has none.
#include "gpu.h"

int main(int count, char** words) {
  const bool pads = is(count, words, "minus_one");
  const hipModule_t module = load_kernels();
  constexpr int width = 512, tokens = 8;
  float* table = on_device(std::vector<float>(16 * width, 1.0f));
  std::vector<int> ids(tokens, 3);
  if (pads) ids[tokens - 3] = -1;
  int* given = on_device(ids);
  float* out = on_device(std::vector<float>(tokens * width, 0.0f));
  launch(kernel(module, "embed"), tokens, width, nullptr, table, given, out, width);
  OK(hipDeviceSynchronize());
  expect(!pads && to_host(out, 1)[0] == 1.0f, "all are read");
  return 0;
}
