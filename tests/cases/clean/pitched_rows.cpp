// Rows with padding: up, doubled and down again, as rectangles.
#include "gpu.h"

int main() {
  constexpr size_t width = 100, height = 20;
  float* image = nullptr;
  size_t pitch = 0;
  OK(hipMallocPitch(reinterpret_cast<void**>(&image), &pitch, width * sizeof(float), height));
  std::vector<float> host(width * height, 1.5f), back(width * height, 0.0f);
  OK(hipMemcpy2D(image, pitch, host.data(), width * sizeof(float), width * sizeof(float), height,
                 hipMemcpyHostToDevice));
  OK(hipMemcpy2D(back.data(), width * sizeof(float), image, pitch, width * sizeof(float), height,
                 hipMemcpyDeviceToHost));
  expect(back == host, "all rows come back");
  return 0;
}
