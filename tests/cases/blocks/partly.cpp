// Only one tensor of an arena is announced; kernels are given the arena and an offset.
#include "arena.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t write_at = kernel(module, "write_at");
  constexpr int n = 1024;
  const Arena arena(8 * n);
  float* cache = arena.tensor("cache", 2 * n, n);
  launch(write_at, 8, 128, nullptr, arena.base, 0, 1.0f, n);
  launch(write_at, 8, 128, nullptr, arena.base, 2 * n, 1.0f, n);
  launch(write_at, 8, 128, nullptr, arena.base + n, n, 2.0f, n);
  const std::vector<float> host(8 * n, 1.0f);
  OK(hipMemcpy(arena.base + n, host.data(), 3 * n * sizeof(float), hipMemcpyHostToDevice));
  OK(hipDeviceSynchronize());
  to_host(cache, n);
  end_of(cache);
  OK(hipMemset(arena.base, 0, 8 * n * sizeof(float)));
  return 0;
}
