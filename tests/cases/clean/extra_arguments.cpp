// Arguments in one buffer, as some code generators pass them.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  struct {
    float* x;
    float factor;
    int n;
  } arguments{on_device(std::vector<float>(n, 2.0f)), 3.0f, n};
  size_t size = sizeof arguments;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(kernel(module, "scale"), 2, 1, 1, 128, 1, 1, 0, nullptr, nullptr,
                           extra));
  expect(to_host(arguments.x, n)[n - 1] == 6.0f, "scaled");
  return 0;
}
