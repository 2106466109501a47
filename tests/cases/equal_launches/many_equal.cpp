// 64 equal launches, all with ids from device memory, before the host waits.
#include "gpu.h"

int main(int count, char** words) {
  const bool wrong = is(count, words, "wrong");
  const bool mixed = count > 2;  // with an innocent kernel between them
  const hipModule_t module = load_kernels();
  const hipFunction_t gather = kernel(module, "gather"), scale = kernel(module, "scale");
  constexpr int n = 256, rows = 4096;
  const hipStream_t stream = new_stream();
  float* table = on_device(std::vector<float>(rows, 1.0f));
  int* ids = on_device(std::vector<int>(n, wrong ? 3 * rows : 5));
  float* out = on_device(std::vector<float>(n, 0.0f));
  float* other = on_device(std::vector<float>(n, 1.0f));
  for (int i = 0; i < 64; ++i) {
    launch(gather, 2, 128, stream, table, ids, out, n);
    if (mixed) launch(scale, 2, 128, stream, other, 1.0f, n);
  }
  OK(hipStreamSynchronize(stream));
  expect(!wrong && to_host(out, n)[n - 1] == 1.0f, "all are gathered");
  return 0;
}
