// One base pointer, and where to write as a number.
#include "gpu.h"

int main(int count, char** words) {
  const bool meet = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  const hipFunction_t write_at = kernel(module, "write_at");
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float* base = on_device(std::vector<float>(4 * n, 0.0f));
  hold(module, one);
  launch(write_at, 4, 128, one, base, 0, 1.0f, n);
  launch(write_at, 4, 128, two, base, meet ? n / 2 : n, 2.0f, n);
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(base, 4 * n);
  if (meet) {
    tell(values[n - 1] == 1.0f, "the later write was lost");
  } else {
    expect(values[n - 1] == 1.0f && values[n] == 2.0f, "both parts are filled");
  }
  return 0;
}
