// A struct says how many rows a kernel may use; the others are uploaded meanwhile.
#include "gpu.h"

struct View {
  float* data;
  int rows;
  int columns;
};

int main(int count, char** words) {
  const bool meet = is(count, words, "overlapping");
  const hipModule_t module = load_kernels();
  constexpr int columns = 64, rows = 16, n = columns * rows;
  const hipStream_t one = new_stream(), two = new_stream();
  float* matrix = on_device(std::vector<float>(2 * n, 1.0f));
  float* next = pinned<float>(n);
  for (int i = 0; i < n; ++i) next[i] = 5.0f;
  hold(module, one);
  launch(kernel(module, "scale_view"), 16, 128, one, View{matrix, meet ? 2 * rows : rows, columns},
         3.0f);
  OK(hipMemcpyAsync(matrix + n, next, n * sizeof(float), hipMemcpyHostToDevice, two));
  OK(hipDeviceSynchronize());
  const std::vector<float> values = to_host(matrix, 2 * n);
  if (meet) {
    tell(values[n] == 15.0f, "the upload was scaled");
  } else {
    expect(values[0] == 3.0f && values[n] == 5.0f, "only the first rows are scaled");
  }
  return 0;
}
