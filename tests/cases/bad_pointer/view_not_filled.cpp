// A matrix is scaled by a kernel that gets a view of it.
#include "gpu.h"

struct View {
  float* data;
  int rows;
  int columns;
};

int main() {
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, columns = 64;
  float* copy = nullptr;
  std::vector<float> matrix(rows * columns, 1.0f);
  OK(hipMalloc(reinterpret_cast<void**>(&copy), matrix.size() * sizeof(float)));
  OK(hipMemcpy(copy, matrix.data(), matrix.size() * sizeof(float), hipMemcpyHostToDevice));
  const View view{nullptr, rows, columns};
  launch(kernel(module, "scale_view"), 16, 256, nullptr, view, 3.0f);
  OK(hipMemcpy(matrix.data(), copy, matrix.size() * sizeof(float), hipMemcpyDeviceToHost));
  std::printf("%g\n", matrix[0]);
  return 0;
}
