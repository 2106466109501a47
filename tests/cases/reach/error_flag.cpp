// Two kernels may set one flag if they find something; nothing is found, or the flag is fetched
// early.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  const hipFunction_t check = kernel(module, "check");
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* first = on_device(std::vector<float>(n, early ? 9.0f : 1.0f));
  float* second = on_device(std::vector<float>(n, 1.0f));
  int* flag = on_device(std::vector<int>(1, 0));
  int* found = pinned<int>(1);
  hold(module, one);
  launch(check, 8, 128, one, first, flag, 5.0f, n);
  if (!early) launch(check, 8, 128, two, second, flag, 5.0f, n);
  if (!early) OK(hipDeviceSynchronize());
  OK(hipMemcpyAsync(found, flag, sizeof(int), hipMemcpyDeviceToHost, two));
  OK(hipStreamSynchronize(two));
  if (early) {
    tell(*found == 0, "the flag was fetched too early");
  } else {
    expect(*found == 0, "nothing is found");
  }
  OK(hipDeviceSynchronize());
  return 0;
}
