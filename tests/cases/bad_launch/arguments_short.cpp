// Arguments in a buffer whose size is told: too few bytes for the kernel's, or enough.
#include <cstring>

#include "gpu.h"

int main(int count, char** words) {
  const bool short_of = is(count, words, "short");
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  float* values = on_device(std::vector<float>(n, 1.0f));
  char bytes[16];
  const float factor = 3.0f;
  std::memcpy(bytes, &values, 8);
  std::memcpy(bytes + 8, &factor, 4);
  std::memcpy(bytes + 12, &n, 4);
  size_t size = short_of ? 8 : sizeof bytes;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, bytes, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(kernel(module, "scale"), n / 128, 1, 1, 128, 1, 1, 0, nullptr, nullptr,
                           extra));
  OK(hipDeviceSynchronize());
  const float made = to_host(values, n)[n - 1];
  expect(short_of || made == 3.0f, "all are scaled");
  return 0;
}
