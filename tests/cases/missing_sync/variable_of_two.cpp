// A kernel leaves a row in a variable of the device, another takes it from there: side by side, or
// in turn. Neither is given its address.
#include "gpu.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr int n = 64;
  const hipStream_t streams[] = {new_stream(), new_stream()};
  float *in = on_device(std::vector<float>(n, 3.0f)), *out = on_device<float>(n);
  OK(hipDeviceSynchronize());
  launch(kernel(module, "put_row"), 1, n, streams[0], in, n);
  if (!is(count, words, "early")) after(streams[1], streams[0]);
  launch(kernel(module, "get_row"), 1, n, streams[1], out, n);
  OK(hipDeviceSynchronize());
  tell(to_host(out, n)[n - 1] == 3.0f, "the row was there");
  return 0;
}
