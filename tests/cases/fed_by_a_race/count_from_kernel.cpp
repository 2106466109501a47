// Where to write is computed by a kernel on another stream; before that, the number is an old one.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 512;
  const hipStream_t one = new_stream(), two = new_stream();
  float* logits = on_device(std::vector<float>(n, 1.0f));
  int* place = on_device(std::vector<int>(1, early ? 300000000 : 0));
  float* out = on_device(std::vector<float>(n, 0.0f));
  hold(module, one);
  launch(kernel(module, "argmax"), 1, 1, one, logits, place, n);
  if (!early) after(two, one);
  launch(kernel(module, "scatter"), 1, 1, two, place, out, 2.0f, 1);
  OK(hipStreamSynchronize(two));
  expect(!early && to_host(out, n)[0] == 2.0f, "the place is written");
  return 0;
}
