// A plain hipMemcpy waits for the streams that block with the default stream, and for no others.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 10000;
  float* result = nullptr;
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamDefault));
  OK(hipMalloc(reinterpret_cast<void**>(&result), n * sizeof(float)));
  launch(kernel(module, "set"), (n + 255) / 256, 256, stream, result, 1.0f, n);
  std::vector<float> host(n);
  OK(hipMemcpy(host.data(), result, n * sizeof(float), hipMemcpyDeviceToHost));
  OK(hipStreamSynchronize(stream));
  std::printf("%g\n", host[n - 1]);
  return 0;
}
