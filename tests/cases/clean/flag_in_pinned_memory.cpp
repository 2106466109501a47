// A kernel raises a flag in pinned memory behind its work; the host polls it, then fetches.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float *values = on_device<float>(n), *host = pinned<float>(n);
  int* flag = pinned<int>(1, hipHostMallocMapped | hipHostMallocCoherent);
  *flag = 0;
  launch(kernel(module, "set"), n / 128, 128, one, values, 6.0f, n);
  launch(kernel(module, "raise_flag"), 1, 1, one, flag);
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
  }
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, two));
  OK(hipStreamSynchronize(two));
  expect(host[n - 1] == 6.0f, "the values are there");
  OK(hipDeviceSynchronize());
  return 0;
}
