// A slot of a cache is fetched while a kernel fills another one, or the very same.
#include "gpu.h"

int main(int count, char** words) {
  const bool same = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float* cache = on_device(std::vector<float>(8 * n, 0.0f));
  float* host = pinned<float>(n);
  hold(module, one);
  launch(kernel(module, "write_at"), 4, 128, one, cache, 2 * n, 7.0f, n);
  OK(hipMemcpyAsync(host, cache + (same ? 2 : 5) * n, n * sizeof(float), hipMemcpyDeviceToHost,
                    two));
  OK(hipStreamSynchronize(two));
  if (same) {
    tell(host[0] == 0.0f, "fetched too early");
  } else {
    expect(host[0] == 0.0f, "the other slot is as it was");
  }
  OK(hipDeviceSynchronize());
  return 0;
}
