// The ids themselves are wrong, and everything is in order: no race is to blame.
#include "gpu.h"

int main(int count, char** words) {
  const bool wrong = is(count, words, "wrong");
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, width = 128, n = 16;
  const hipStream_t one = new_stream(), two = new_stream();
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device(std::vector<float>(n * width, 0.0f));
  int* ids = on_device(std::vector<int>(n, 0));
  int* fresh = pinned<int>(n);
  for (int i = 0; i < n; ++i) fresh[i] = wrong ? 500000000 : i;
  OK(hipMemcpyAsync(ids, fresh, n * sizeof(int), hipMemcpyHostToDevice, one));
  after(two, one);
  launch(kernel(module, "embed"), n, 128, two, table, ids, out, width);
  OK(hipStreamSynchronize(two));
  expect(!wrong && to_host(out, n * width)[0] == 1.0f, "the rows are there");
  return 0;
}
