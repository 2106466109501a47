// Where two kernels write is in device memory: places of their own, or one in common.
#include "gpu.h"

int main(int count, char** words) {
  const bool meet = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  const hipFunction_t scatter = kernel(module, "scatter");
  constexpr int n = 128;
  std::vector<int> even(n), odd(n);
  for (int i = 0; i < n; ++i) even[i] = 2 * i;
  for (int i = 0; i < n; ++i) odd[i] = 2 * i + 1;
  if (meet) odd[5] = 20;
  const hipStream_t one = new_stream(), two = new_stream();
  int* first = on_device(even);
  int* second = on_device(odd);
  float* out = on_device(std::vector<float>(2 * n, 0.0f));
  hold(module, one);
  launch(scatter, 1, n, one, first, out, 1.0f, n);
  launch(scatter, 1, n, two, second, out, 2.0f, n);
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(out, 2 * n);
  if (meet) {
    tell(values[20] == 1.0f, "the later write was lost");
  } else {
    expect(values[20] == 1.0f && values[21] == 2.0f, "all places are filled");
  }
  return 0;
}
