// A token is computed on one stream and looked up on another, by kernels without const pointers.
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
  if (count > 2) {  // that pick writes its token is known from a turn before
    int* first = on_device<int>(1);
    launch(kernel(module, "pick"), 1, 1, one, logits, first, rows);
    OK(hipStreamSynchronize(one));
    expect(to_host(first, 1)[0] == 3, "the best is found");
  }
  // The token comes when it has been looked up: the fault does not wait for luck.
  int* flag = on_device(std::vector<int>{early ? 0 : 1});
  launch(kernel(module, "wait_for"), 1, 1, one, flag);
  launch(kernel(module, "pick"), 1, 1, one, logits, token, rows);
  if (!early) after(two, one);
  launch(kernel(module, "lookup"), 1, width, two, table, token, out, width);
  OK(hipStreamSynchronize(two));
  expect(!early && to_host(out, width)[0] == 1.0f, "the row is there");
  return 0;
}
