// The index of a row of a large table, computed in 32 bits.
#include "gpu.h"

int main(int count, char** words) {
  const bool wraps = is(count, words, "wraps");
  const hipModule_t module = load_kernels();
  constexpr int width = 40000;
  float* table = on_device(std::vector<float>(8 * width, 1.0f));
  float* out = on_device(std::vector<float>(width, 0.0f));
  // 60000 * 40000 is more than an int holds: it wraps to a negative number.
  launch(kernel(module, "take_row"), 313, 128, nullptr, table, out, wraps ? 60000 : 7, width);
  OK(hipDeviceSynchronize());
  expect(!wraps && to_host(out, width)[width - 1] == 1.0f, "the row is there");
  return 0;
}
