// One tensor and three views of its parts are announced; a kernel fills the tensor, or runs past
// it.
#include "arena.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 1024;
  const Arena arena(8 * n);
  float* qkv = arena.tensor("qkv", n, 3 * n);
  arena.tensor("q", n, n);
  float* k = arena.tensor("k", 2 * n, n);
  arena.tensor("v", 3 * n, n);
  float* next = arena.tensor("next", 4 * n, n);
  if (is(count, words, "past")) {
    launch(set, 64, 128, nullptr, k, 1.0f, 2 * n + 100);
  } else {
    launch(set, 64, 128, nullptr, qkv, 1.0f, 2 * n + 100);
    launch(set, 64, 128, nullptr, qkv, 1.0f, 3 * n);
    const std::vector<float> host(3 * n, 1.0f);
    OK(hipMemcpy(qkv, host.data(), (2 * n + 7) * sizeof(float), hipMemcpyHostToDevice));
  }
  OK(hipDeviceSynchronize());
  to_host(next, n);
  return 0;
}
