// A view's rows are freed before it is used for what another field says; the kernel reads no more
// of it than that.
#include "gpu.h"

struct View {
  float* data;
  int rows;
  int columns;
};

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale_view = kernel(module, "scale_view");
  constexpr int rows = 40, columns = 100;
  View view{nullptr, rows, columns};
  float* out = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&out), rows * columns * sizeof(float)));
  OK(hipMemsetAsync(out, 0, rows * columns * sizeof(float), stream));
  OK(hipMalloc(reinterpret_cast<void**>(&view.data), rows * columns * sizeof(float)));
  OK(hipFree(view.data));
  view.rows = 0;
  launch(scale_view, 16, 256, stream, view, 2.0f);
  std::vector<float> host(rows * columns);
  OK(hipMemcpyAsync(host.data(), out, host.size() * sizeof(float), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
