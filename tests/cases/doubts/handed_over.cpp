// A kernel takes what one of another stream makes, when it has seen the flag; or at once.
#include "gpu.h"

int main(int count, char** words) {
  const bool at_once = is(count, words, "at_once");
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(), two = new_stream();
  constexpr int n = 256;
  float* data = on_device(std::vector<float>(n, 0.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  int* flag = on_device(std::vector<int>(1, 0));
  launch(kernel(module, "hand_over"), 1, n, one, data, flag, 3.0f);
  if (at_once) {
    launch(kernel(module, "square"), 1, n, two, data, out, n);
  } else {
    launch(kernel(module, "take_over"), 1, n, two, data, flag, out);
  }
  OK(hipDeviceSynchronize());
  const float taken = to_host(out, n)[n - 1];
  if (at_once) {
    tell(taken == 0.0f, "taken too early");
  } else {
    expect(taken == 3.0f, "taken in time");
  }
  return 0;
}
