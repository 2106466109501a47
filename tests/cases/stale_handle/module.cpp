// A kernel is launched whose module was unloaded, or is unloaded at the end.
#include "gpu.h"

int main(int count, char** words) {
  const bool stale = is(count, words, "stale");
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 1024;
  float* values = on_device<float>(n);
  launch(set, n / 128, 128, nullptr, values, 1.0f, n);
  OK(hipDeviceSynchronize());
  if (stale) OK(hipModuleUnload(module));
  launch(set, n / 128, 128, nullptr, values, 2.0f, n);
  OK(hipDeviceSynchronize());
  expect(!stale && to_host(values, n)[0] == 2.0f, "all are two");
  OK(hipModuleUnload(module));
  return 0;
}
