// A kernel finds its output in a table of pointers; the output is fetched on another stream.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float* first = on_device(std::vector<float>(n, 0.0f));
  float* second = on_device(std::vector<float>(n, 0.0f));
  float** table = on_device(std::vector<float*>{first, second});
  float* host = pinned<float>(n);
  hold(module, one);
  launch(kernel(module, "fill_through_table"), 4, 128, one, table, 1, 3.0f, n);
  if (!early) after(two, one);
  OK(hipMemcpyAsync(host, second, n * sizeof(float), hipMemcpyDeviceToHost, two));
  OK(hipStreamSynchronize(two));
  if (early) {
    tell(host[0] == 0.0f, "fetched too early");
  } else {
    expect(host[0] == 3.0f, "the output is there");
  }
  OK(hipDeviceSynchronize());
  return 0;
}
