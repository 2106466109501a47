// Downloads a padded image whose last row has no padding.
#include "gpu.h"

int main() {
  constexpr size_t width = 600, pitch = 640, rows = 31;
  char* image = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&image), (rows - 1) * pitch + width));
  OK(hipMemset(image, 3, (rows - 1) * pitch + width));
  std::vector<char> host((rows + 1) * width);
  OK(hipMemcpy2D(host.data(), width, image, pitch, width, rows, hipMemcpyDeviceToHost));
  std::printf("%d\n", host[width]);
  OK(hipFree(image));
  return 0;
}
