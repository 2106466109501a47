// One launch on two devices: each squares its half.
#include "gpu.h"

int main(int count, char** words) {
  constexpr int n = 4096;
  hipFunctionLaunchParams parts[2] = {};
  float* halves[2];
  void* arguments[2][3];
  int numbers = n;
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    const hipModule_t module = load_kernels();
    halves[device] = on_device(std::vector<float>(n, 3.0f));
    arguments[device][0] = &halves[device];
    arguments[device][1] = &halves[device];
    arguments[device][2] = &numbers;
    parts[device] = {kernel(module, "square"), n / 256, 1, 1, 256, 1, 1, 0, new_stream(),
                     arguments[device]};
  }
  // The second device is given the first one's half, which it cannot reach.
  if (is(count, words, "of_the_other")) arguments[1][0] = arguments[1][1] = &halves[0];
  OK(hipModuleLaunchCooperativeKernelMultiDevice(parts, 2, 0));
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    OK(hipDeviceSynchronize());
    expect(to_host(halves[device], n)[n - 1] == 9.0f, "all is squared");
  }
  return 0;
}
