// The ids are uploaded on one stream; a fill of the same buffer on another one may come after.
#include "gpu.h"

int main(int count, char** words) {
  const bool unordered = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, width = 128, n = 16;
  const hipStream_t one = new_stream(), two = new_stream();
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device(std::vector<float>(n * width, 0.0f));
  int* ids = on_device(std::vector<int>(n, 0));
  int* fresh = pinned<int>(n);
  for (int i = 0; i < n; ++i) fresh[i] = i;
  hold(module, one);
  OK(hipMemsetAsync(ids, 0x3f, n * sizeof(int), one));
  if (!unordered) after(two, one);
  OK(hipMemcpyAsync(ids, fresh, n * sizeof(int), hipMemcpyHostToDevice, two));
  if (unordered) OK(hipStreamSynchronize(one));  // the fill came last
  launch(kernel(module, "embed"), n, 128, two, table, ids, out, width);
  OK(hipStreamSynchronize(two));
  expect(!unordered && to_host(out, n * width)[0] == 1.0f, "the rows are there");
  return 0;
}
