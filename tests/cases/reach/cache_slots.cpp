// Two micro-batches append to one cache, each on its own stream; the slot is an argument.
#include "gpu.h"

int main(int count, char** words) {
  const bool same = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  const hipFunction_t append = kernel(module, "kv_append");
  constexpr int width = 256, slots = 16;
  const hipStream_t one = new_stream(), two = new_stream();
  float* first = on_device(std::vector<float>(width, 1.0f));
  float* second = on_device(std::vector<float>(width, 2.0f));
  float* cache = on_device(std::vector<float>(slots * width, 0.0f));
  hold(module, one);
  launch(append, 2, 128, one, first, cache, 3, width);
  launch(append, 2, 128, two, second, cache, same ? 3 : 4, width);
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(cache, slots * width);
  if (same) {
    tell(values[3 * width] == 1.0f, "the later write was lost");
  } else {
    expect(values[3 * width] == 1.0f && values[4 * width] == 2.0f, "both slots are filled");
  }
  return 0;
}
