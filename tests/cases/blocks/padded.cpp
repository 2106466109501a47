// Tensors of 1000 floats lie 1024 apart. Kernels that fill the padding are right, one goes further.
#include "arena.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  const Arena arena(16 * 1024);
  std::vector<float*> tensors;
  for (int i = 0; i < 4; ++i) tensors.push_back(arena.tensor("row", i * 1024, 1000));
  for (float* one : tensors) {
    const bool past = is(count, words, "past") && one == tensors[1];
    launch(set, 16, 128, nullptr, one, 1.0f, past ? 1030 : 1024);
  }
  OK(hipDeviceSynchronize());
  to_host(tensors[2], 1000);
  for (float* one : tensors) end_of(one);
  // Afterwards the memory is carved up differently.
  for (int i = 0; i < 2; ++i) {
    OK(hipMemset(arena.tensor("pair", i * 2048, 2048), 0, 2048 * sizeof(float)));
  }
  OK(hipDeviceSynchronize());
  return 0;
}
