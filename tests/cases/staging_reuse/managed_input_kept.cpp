// Managed memory is read by a kernel and replaced by a copy.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 5000;
  constexpr size_t bytes = n * sizeof(float);
  float *managed = nullptr, *out = nullptr, *next = nullptr;
  hipStream_t first, second;
  OK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  OK(hipMallocManaged(reinterpret_cast<void **>(&managed), bytes, hipMemAttachGlobal));
  OK(hipMalloc(reinterpret_cast<void **>(&out), bytes));
  OK(hipMalloc(reinterpret_cast<void **>(&next), bytes));
  for (int i = 0; i < n; ++i) managed[i] = 1.0f;
  OK(hipMemset(next, 0, bytes));
  OK(hipDeviceSynchronize());
  launch(square, 20, 256, first, managed, out, n);
  OK(hipMemcpyAsync(managed, next, bytes, hipMemcpyDeviceToDevice, first));
  std::vector<float> host(n);
  OK(hipMemcpyAsync(host.data(), out, bytes, hipMemcpyDeviceToHost, first));
  OK(hipDeviceSynchronize());
  return 0;
}
