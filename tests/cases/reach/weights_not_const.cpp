// Weights that are not const, used on two streams: only read, or changed in place.
#include "gpu.h"

int main(int count, char** words) {
  const bool written = is(count, words, "written");
  const hipModule_t module = load_kernels();
  const hipFunction_t weigh = kernel(module, written ? "weigh_and_decay" : "weigh");
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* weights = on_device(std::vector<float>(n, 4.0f));
  float* x = on_device(std::vector<float>(n, 1.0f));
  float* first = on_device(std::vector<float>(n, 0.0f));
  float* second = on_device(std::vector<float>(n, 0.0f));
  hold(module, one);
  launch(weigh, 8, 128, one, weights, x, first, n);
  launch(weigh, 8, 128, two, weights, x, second, n);
  OK(hipDeviceSynchronize());
  const float made = to_host(second, n)[0];
  if (written) {
    tell(made == 4.0f, "the weights were used before their change");
  } else {
    expect(made == 4.0f && to_host(first, n)[n - 1] == 4.0f, "both are weighed");
  }
  return 0;
}
