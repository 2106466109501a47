// Kernels on tensors of an arena: within the one that they are given, or beyond it.
#include "arena.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr int n = 1024, width = 64;
  const Arena arena(8 * n);
  float* scratch = arena.tensor("scratch", 0, n);
  float* keys = arena.tensor("keys", n, n);
  float* values = arena.tensor("values", 2 * n, n);
  const int elements = is(count, words, "too many") ? n + 100
                       : is(count, words, "both")   ? 2 * n
                                                    : n;
  launch(kernel(module, "set"), 32, 128, nullptr, keys, 1.0f, elements);
  const int position = is(count, words, "slot beyond")  ? 17
                       : is(count, words, "slot after") ? 16
                                                        : 15;
  launch(kernel(module, "kv_append"), 1, width, nullptr, scratch, keys, position, width);
  if (is(count, words, "whole arena")) {
    launch(kernel(module, "set"), 64, 128, nullptr, arena.base, 3.0f, 8 * n);
  }
  if (is(count, words, "pages")) {
    const std::vector<int> table{1, 0, 2};  // in pages of a tensor each
    launch(kernel(module, "embed"), 3, 64, nullptr, scratch, on_device(table),
           on_device<float>(3 * n), n);
  }
  OK(hipDeviceSynchronize());
  expect((to_host(values, n)[99] == 1.0f) == (elements > n), "what became of the values");
  return 0;
}
