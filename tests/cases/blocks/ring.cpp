// Slots of a ring are announced anew in each round; one stream fills them, another uses them.
#include "arena.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set"), square = kernel(module, "square");
  constexpr int n = 1024;
  const Arena arena(8 * n);
  const hipStream_t one = new_stream(), two = new_stream();
  float* out = on_device(std::vector<float>(n, 0.0f));
  OK(hipDeviceSynchronize());
  if (early) hold(module, one);
  for (int i = 0; i < 6; ++i) {
    float* slot = arena.tensor("slot", (i % 2) * n, n, one);
    launch(set, 8, 128, one, slot, 1.0f, n);
    if (!early) after(two, one);
    launch(square, 8, 128, two, slot, out, n);
    if (!early) after(one, two);
    end_of(slot, two);
  }
  OK(hipDeviceSynchronize());
  to_host(out, n);
  return 0;
}
