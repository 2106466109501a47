// Tensors are blocks of one allocation; a kernel runs past its block into the next, or does not.
#include "gpu.h"

int main(int count, char** words) {
  const bool past = is(count, words, "past");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* arena = on_device(std::vector<float>(8 * n, 0.0f));
  float *first = arena, *second = arena + n;
  launch(kernel(module, "set"), n / 64, 128, nullptr, first, 1.0f, past ? n + 100 : n);
  OK(hipDeviceSynchronize());
  expect((to_host(second, n)[99] == 1.0f) == past, "what became of the neighbour");
  return 0;
}
