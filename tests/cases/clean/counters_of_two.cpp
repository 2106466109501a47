// Two streams count into one counter, atomically, besides their own work.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t counting = kernel(module, "count_atomically");
  constexpr int n = 256;
  const hipStream_t streams[] = {new_stream(), new_stream()};
  int* zeros = on_device(std::vector<int>(n, 0));
  int* counter = on_device(std::vector<int>(1, 0));
  for (int i = 0; i < 10; ++i) launch(counting, 2, 128, streams[i % 2], zeros, counter, n);
  OK(hipDeviceSynchronize());
  expect(to_host(counter, 1)[0] == 10 * n, "everything is counted");
  return 0;
}
