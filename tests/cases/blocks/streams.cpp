// Two streams use tensors of one arena: the same, or one each; one after the other, or not.
#include "arena.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  const Arena arena(8 * n);
  float* first = arena.tensor("first half", 0, n, one);
  float* second = arena.tensor("second half", n, n, two);
  float* host = pinned<float>(n);
  OK(hipDeviceSynchronize());
  hold(module, one);
  launch(set, 8, 128, one, first, 1.0f, n);
  if (is(count, words, "in turn")) after(two, one);
  float* from = is(count, words, "apart") ? second : first;
  OK(hipMemcpyAsync(host, from, n * sizeof(float), hipMemcpyDeviceToHost, two));
  if (is(count, words, "recycled")) {
    // The first half is over on its stream; the next owner comes without waiting for that.
    end_of(first, one);
    float* next = arena.tensor("next", 0, n, two);
    OK(hipMemsetAsync(next, 0, n * sizeof(float), two));
  }
  OK(hipDeviceSynchronize());
  return 0;
}
