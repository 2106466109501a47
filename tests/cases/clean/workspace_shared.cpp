// Two streams are given one workspace; the kernels on one of them do not use it.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t with_scratch = kernel(module, "with_scratch");
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float* a = on_device(std::vector<float>(n, 1.0f));
  float* b = on_device(std::vector<float>(n, 1.0f));
  float* workspace = on_device(std::vector<float>(n, 0.0f));
  launch(with_scratch, n / 128, 128, one, a, workspace, 1, n);
  launch(with_scratch, n / 128, 128, two, b, workspace, 0, n);
  OK(hipDeviceSynchronize());
  expect(to_host(a, n)[n - 1] == 2.0f && to_host(b, n)[0] == 2.0f, "both are counted up");
  return 0;
}
