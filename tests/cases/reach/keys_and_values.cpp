// Keys and values are the halves of one buffer; each half has its kernel and its stream.
#include "gpu.h"

int main(int count, char** words) {
  const bool same = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  const hipFunction_t write_half = kernel(module, "write_half");
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* both = on_device(std::vector<float>(2 * n, 0.0f));
  hold(module, one);
  launch(write_half, 8, 128, one, both, 0, 1.0f, n);
  launch(write_half, 8, 128, two, both, same ? 0 : 1, 2.0f, n);
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(both, 2 * n);
  if (same) {
    tell(values[0] == 1.0f, "the later write was lost");
  } else {
    expect(values[0] == 1.0f && values[n] == 2.0f, "both halves are filled");
  }
  return 0;
}
