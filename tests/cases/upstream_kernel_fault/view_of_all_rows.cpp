// Scales a matrix through a view.
#include "gpu.h"

struct View {
  float* data;
  int rows;
  int columns;
};

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale_view = kernel(module, "scale_view");
  constexpr int rows = 30, columns = 1024;
  View view{nullptr, rows, columns};
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipMalloc(reinterpret_cast<void**>(&view.data), rows * columns * sizeof(float)));
  OK(hipMemsetAsync(view.data, 0, rows * columns * sizeof(float), stream));
  OK(hipStreamSynchronize(stream));
  view.rows = 30;
  launch(scale_view, 128, 256, stream, view, 2.0f);
  OK(hipStreamSynchronize(stream));
  std::vector<float> host(rows * columns);
  OK(hipMemcpy(host.data(), view.data, host.size() * sizeof(float), hipMemcpyDeviceToHost));
  return 0;
}
