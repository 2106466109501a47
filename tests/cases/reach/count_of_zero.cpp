// A batch that may be empty is scaled while the next upload into its buffer runs.
#include "gpu.h"

int main(int count, char** words) {
  const bool empty = !is(count, words, "full");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* batch = on_device(std::vector<float>(n, 1.0f));
  float* next = pinned<float>(n);
  for (int i = 0; i < n; ++i) next[i] = 5.0f;
  hold(module, one);
  OK(hipMemcpyAsync(batch, next, n * sizeof(float), hipMemcpyHostToDevice, one));
  launch(kernel(module, "scale"), 8, 128, two, batch, 3.0f, empty ? 0 : n);
  OK(hipDeviceSynchronize());
  const float made = to_host(batch, n)[0];
  if (empty) {
    expect(made == 5.0f, "nothing is scaled");
  } else {
    tell(made != 15.0f, "scaled before it was there");
  }
  return 0;
}
