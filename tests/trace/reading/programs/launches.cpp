// Launches by every call that can launch, and what their arguments say.
#include "program.h"

namespace {

struct Pair {
  float* first;
  long long count;
};

}  // namespace

int main(int, char** arguments) {
  Program p(arguments);
  p.launch_scale(p.device, 100, p.one);

  const float* x = p.device;
  float* y = p.other;
  int n = 7;  // far fewer than threads
  void* given[] = {&x, &y, &n};
  hipModuleLaunchKernel(p.add, 4, 1, 1, 64, 1, 1, 0, p.two, given, nullptr);

  float factor = 2;
  float* inside = p.device + 900;
  n = 100;
  void* scaled[] = {&inside, &n, &factor};
  hipEvent_t start = nullptr, stop = nullptr;
  hipEventCreate(&start);
  hipEventCreate(&stop);
  hipExtModuleLaunchKernel(p.scale, 128, 1, 1, 64, 1, 1, 0, p.one, scaled, nullptr, start, stop, 0);
  n = 0;
  hipModuleLaunchCooperativeKernel(p.scale, 4, 1, 1, 50, 1, 1, 0, p.one, scaled);

  HIP_LAUNCH_CONFIG config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = p.two;
  Pair pair{p.other, 16};
  char small = 1;
  double large = 2;
  void* filled[] = {&pair, &small, &large};
  hipDrvLaunchKernelEx(&config, p.fill, filled, nullptr);

  float* nothing = nullptr;
  void* null_given[] = {&nothing, &n, &factor};
  hipModuleLaunchKernel(p.scale, 1, 1, 1, 64, 1, 1, 0, nullptr, null_given, nullptr);
  hipDeviceSynchronize();
  return 0;
}
