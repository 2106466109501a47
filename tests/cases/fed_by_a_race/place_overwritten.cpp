// The place to write to lies in memory that another stream fills for the next batch, a larger one.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 512, next = 100000;
  const hipStream_t one = new_stream(), two = new_stream();
  std::vector<float> scores(next, 1.0f);
  scores.back() = 2.0f;
  float* logits = on_device(scores);
  int* place = on_device(std::vector<int>(1, 0));
  float* out = on_device(std::vector<float>(n, 0.0f));
  hold(module, one);
  hold(module, one);
  launch(kernel(module, "scatter"), 1, 1, one, place, out, 2.0f, 1);
  if (!early) after(two, one);
  launch(kernel(module, "argmax"), 1, 1, two, logits, place, next);
  OK(hipStreamSynchronize(two));
  OK(hipStreamSynchronize(one));
  expect(!early && to_host(out, n)[0] == 2.0f, "the place is written");
  return 0;
}
