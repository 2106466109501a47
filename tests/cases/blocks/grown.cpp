// A cache outgrows its block and moves; later tokens go to the new one, or still to the old one.
#include "arena.h"

int main(int count, char** words) {
  const bool old = is(count, words, "old");
  const hipModule_t module = load_kernels();
  const hipFunction_t append = kernel(module, "kv_append");
  constexpr int width = 64;
  const Arena arena(64 * width);
  float* token = arena.tensor("token", 0, width);
  float* cache = arena.tensor("cache", 4 * width, 8 * width);
  for (int i = 0; i < 8; ++i) launch(append, 1, width, nullptr, token, cache, i, width);
  float* larger = arena.tensor("larger cache", 16 * width, 16 * width);
  OK(hipMemcpy(larger, cache, 8 * width * sizeof(float), hipMemcpyDeviceToDevice));
  end_of(cache);
  for (int i = 1; i < 4; ++i) {
    launch(append, 1, width, nullptr, token, old ? cache : larger, i + (old ? 4 : 8), width);
  }
  OK(hipDeviceSynchronize());
  to_host(larger, 8 * width);
  return 0;
}
