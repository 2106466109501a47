// Even and odd rows of one matrix, or even ones twice.
#include "gpu.h"

int main(int count, char** words) {
  const bool same = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  const hipFunction_t rows = kernel(module, "write_rows");
  constexpr int width = 64, height = 32;
  const hipStream_t one = new_stream(), two = new_stream();
  float* matrix = on_device(std::vector<float>(width * height, 0.0f));
  hold(module, one);
  launch(rows, 8, 128, one, matrix, 0, 2, height / 2, width, 1.0f);
  launch(rows, 8, 128, two, matrix, same ? 0 : 1, 2, height / 2, width, 2.0f);
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(matrix, width * height);
  if (same) {
    tell(values[0] == 1.0f, "the later write was lost");
  } else {
    expect(values[0] == 1.0f && values[width] == 2.0f, "rows of both kinds are filled");
  }
  return 0;
}
