// Even rows on one stream, odd rows on the other, in one matrix.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t rows = kernel(module, "write_rows");
  constexpr int width = 32, height = 16;
  const hipStream_t streams[] = {new_stream(), new_stream()};
  float* matrix = on_device<float>(width * height);
  for (int turn = 0; turn < 4; ++turn) {
    for (int odd = 0; odd < 2; ++odd) {
      launch(rows, 2, 128, streams[odd], matrix, odd, 2, height / 2, width, float(turn + odd));
    }
  }
  OK(hipDeviceSynchronize());
  const std::vector<float> host = to_host(matrix, width * height);
  expect(host[0] == 3.0f && host[width] == 4.0f, "rows of both kinds");
  return 0;
}
