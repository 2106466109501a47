// A kernel takes what one of another stream makes, when it has seen the flag; or at once.
// The flag is updated atomically, or "stored" and loaded so, or "volatile".
#include "gpu.h"

int main(int count, char** words) {
  const bool at_once = is(count, words, "at_once");
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(), two = new_stream();
  constexpr int n = 256;
  float* data = on_device(std::vector<float>(n, 0.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  int* flag = on_device(std::vector<int>(1, 0));
  const bool stored = is(count, words, "stored"), is_volatile = is(count, words, "volatile");
  const char* hand = stored        ? "hand_over_by_store"
                     : is_volatile ? "hand_over_volatile"
                                   : "hand_over";
  const char* take = stored        ? "take_over_by_load"
                     : is_volatile ? "take_over_volatile"
                                   : "take_over";
  launch(kernel(module, hand), 1, n, one, data, flag, 3.0f);
  if (at_once) {
    launch(kernel(module, "square"), 1, n, two, data, out, n);
  } else {
    launch(kernel(module, take), 1, n, two, data, flag, out);
  }
  OK(hipDeviceSynchronize());
  const float taken = to_host(out, n)[n - 1];
  if (at_once) {
    tell(taken == 0.0f, "taken too early");
  } else {
    expect(taken == 3.0f, "taken in time");
  }
  return 0;
}
