// Token ids are uploaded on one stream and used on another; before that, the buffer held old bytes.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const bool near = count > 2;  // the old bytes lead just past the table, not far away
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, width = 128, n = 16;
  const hipStream_t one = new_stream(), two = new_stream();
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device(std::vector<float>(n * width, 0.0f));
  int* ids = on_device(std::vector<int>(n, early ? (near ? rows + 8 : 500000000) : 0));
  int* fresh = pinned<int>(n);
  for (int i = 0; i < n; ++i) fresh[i] = i;
  // The upload comes when the rows have been read: the fault does not wait for luck.
  int* flag = on_device(std::vector<int>{early ? 0 : 1});
  launch(kernel(module, "wait_for"), 1, 1, one, flag);
  OK(hipMemcpyAsync(ids, fresh, n * sizeof(int), hipMemcpyHostToDevice, one));
  if (!early) after(two, one);
  launch(kernel(module, "embed"), n, 128, two, table, ids, out, width);
  OK(hipStreamSynchronize(two));
  expect(!early && to_host(out, n * width)[0] == 1.0f, "the rows are there");
  return 0;
}
