// A kernel waits for a flag that another stream raises, or nobody does.
#include "gpu.h"

int main(int count, char** words) {
  const bool forever = is(count, words, "forever");
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(), two = new_stream();
  int* flag = on_device(std::vector<int>(1, 0));
  launch(kernel(module, "wait_for"), 1, 1, one, flag);
  if (!forever) launch(kernel(module, "raise_flag"), 1, 1, two, flag);
  if (forever) lose_patience();
  OK(hipStreamSynchronize(one));
  expect(!forever && to_host(flag, 1)[0] == 1, "the flag is raised");
  return 0;
}
