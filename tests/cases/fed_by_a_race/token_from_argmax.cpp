// A token is computed on one stream and looked up on another, by a kernel without const pointers.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int rows = 64, width = 64;
  const hipStream_t one = new_stream(), two = new_stream();
  std::vector<float> scores(rows, 0.0f);
  scores[3] = 1.0f;
  int* token = on_device<int>(1);
  float* logits = on_device(scores);
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device<float>(width);
  hold(module, one);
  launch(kernel(module, "argmax"), 1, 1, one, logits, token, rows);
  if (!early) after(two, one);
  launch(kernel(module, "lookup"), 1, width, two, table, token, out, width);
  OK(hipStreamSynchronize(two));
  expect(!early && to_host(out, width)[0] == 1.0f, "the row is there");
  return 0;
}
