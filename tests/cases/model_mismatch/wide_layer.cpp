// The feed-forward half of a layer.   layer --model=FILE
#include "gpu.h"

int main(int, char** arguments) {
  const hipModule_t module = load_kernels();
  constexpr int feed_forward = 1024;
  constexpr size_t bytes = feed_forward * sizeof(float);
  std::printf("%s\n", arguments[1]);
  float *gate = nullptr, *up = nullptr, *out = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&gate), bytes));
  OK(hipMalloc(reinterpret_cast<void**>(&up), bytes));
  OK(hipMalloc(reinterpret_cast<void**>(&out), bytes));
  OK(hipMemset(gate, 0, bytes));
  OK(hipMemset(up, 0, bytes));
  launch(kernel(module, "swiglu"), (feed_forward + 255) / 256, 256, nullptr, gate, up, out,
         feed_forward);
  std::vector<float> host(feed_forward);
  OK(hipMemcpy(host.data(), out, bytes, hipMemcpyDeviceToHost));
  return 0;
}
