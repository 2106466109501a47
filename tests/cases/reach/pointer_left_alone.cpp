// A buffer is filled, or freed, beside a kernel that was given it and uses it, or leaves it alone:
// by a mode, an empty range, a factor of negative zero, or pages of which there are none.
#include "gpu.h"

constexpr int n = 1024;

int main(int count, char** words) {
  const std::string variant = words[count - 1];
  const bool right = variant.find("_right") != std::string::npos;
  const std::string way = variant.substr(0, variant.find("_right"));
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(), two = new_stream();
  float* buffer = on_device(std::vector<float>(n, 1.0f));
  float* x = on_device(std::vector<float>(n, 2.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  int* pages = on_device(std::vector<int>(n / 64, right ? -1 : 1));
  float* next = pinned<float>(n);
  for (int i = 0; i < n; ++i) next[i] = 5.0f;
  if (way == "free") {
    float* pooled = nullptr;
    OK(hipMallocAsync(reinterpret_cast<void**>(&pooled), n * sizeof(float), two));
    OK(hipMemsetAsync(pooled, 0, n * sizeof(float), two));
    OK(hipStreamSynchronize(two));
    hold(module, one);
    launch(kernel(module, "biased"), 8, 128, one, x, pooled, out, right ? 1 : 2, n);
    OK(hipFreeAsync(pooled, two));
  } else {
    hold(module, one);
    OK(hipMemcpyAsync(buffer, next, n * sizeof(float), hipMemcpyHostToDevice, one));
    if (way == "mode")
      launch(kernel(module, "biased"), 8, 128, two, x, buffer, out, right ? 1 : 2, n);
    if (way == "range") launch(kernel(module, "tail"), 1, 64, two, buffer, out, right ? n : 64, n);
    if (way == "beta")
      launch(kernel(module, "blend"), 8, 128, two, buffer, out, right ? -0.0f : 1.5f, n);
    if (way == "pages") launch(kernel(module, "paged"), 8, 128, two, buffer, pages, out, n);
  }
  OK(hipDeviceSynchronize());
  if (right) expect(to_host(out, n)[n - 1] != 5.0f, "the buffer is not used");
  return 0;
}
