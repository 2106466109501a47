// The staging buffer of the ids is refilled, with other numbers, before the copy has read it.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, width = 128, n = 16;
  const hipStream_t stream = new_stream();
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device(std::vector<float>(n * width, 0.0f));
  int* ids = on_device(std::vector<int>(n, 0));
  int* staging = pinned<int>(n);
  const std::vector<int> good(n, 3), other(n, 400000000);
  OK(hipMemcpy(staging, good.data(), n * sizeof(int), hipMemcpyHostToHost));
  hold(module, stream);
  OK(hipMemcpyAsync(ids, staging, n * sizeof(int), hipMemcpyHostToDevice, stream));
  if (!early) OK(hipStreamSynchronize(stream));
  OK(hipMemcpy(staging, other.data(), n * sizeof(int), hipMemcpyHostToHost));
  launch(kernel(module, "embed"), n, 128, stream, table, ids, out, width);
  OK(hipStreamSynchronize(stream));
  expect(!early && to_host(out, n * width)[0] == 1.0f, "the rows are there");
  return 0;
}
