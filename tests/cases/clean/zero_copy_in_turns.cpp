// Kernels read their input from pinned memory and write their result there; the host waits each
// time.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 256;
  const hipStream_t stream = new_stream();
  float* in = pinned<float>(n, hipHostMallocMapped);
  float* out = pinned<float>(n, hipHostMallocMapped);
  for (int turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < n; ++i) in[i] = float(turn);
    launch(square, 2, 128, stream, in, out, n);
    OK(hipStreamSynchronize(stream));
    expect(out[n - 1] == float(turn * turn), "the square is right");
  }
  expect(to_host(out, n)[0] == 361.0f, "the last is right");
  return 0;
}
