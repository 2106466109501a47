// A kernel reads two buffers of one size, equally far apart; the second is cleared meanwhile.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* table = on_device(std::vector<float>(n, 1.0f));
  int* ids = on_device(std::vector<int>(n, 3));
  float* out = on_device(std::vector<float>(n, 0.0f));
  OK(hipDeviceSynchronize());
  hold(module, one);
  launch(kernel(module, "gather"), n / 128, 128, one, table, ids, out, n);
  if (!early) after(two, one);
  OK(hipMemsetAsync(ids, 0, n * sizeof(int), two));
  OK(hipDeviceSynchronize());
  to_host(out, n);
  return 0;
}
