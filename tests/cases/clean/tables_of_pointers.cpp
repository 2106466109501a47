// Two streams fill different outputs of one table of pointers.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t fill = kernel(module, "fill_through_table");
  constexpr int n = 256;
  const hipStream_t one = new_stream(), two = new_stream();
  float *a = on_device<float>(n), *b = on_device<float>(n);
  float** table = on_device(std::vector<float*>{a, b});
  launch(fill, 2, 128, one, table, 0, 1.0f, n);
  launch(fill, 2, 128, two, table, 1, 2.0f, n);
  OK(hipDeviceSynchronize());
  expect(to_host(a, n)[0] == 1.0f && to_host(b, n)[0] == 2.0f, "both are filled");
  return 0;
}
