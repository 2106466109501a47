// Uploads to tensors of an arena: to one, to a bit more than one, or to several with one copy.
#include "arena.h"

int main(int count, char** words) {
  constexpr size_t n = 1024;
  const Arena arena(4 * n);
  float* first = arena.tensor("tokens", 0, n);
  float* second = arena.tensor("mask", n, n);
  arena.tensor("logits", 2 * n, n);  // behind it nothing is announced
  const std::vector<float> host(4 * n, 1.0f);
  float* to = first;
  size_t size = n;
  if (is(count, words, "too long")) size = n + 8;
  if (is(count, words, "from the middle")) to = first + n / 2;
  if (is(count, words, "all of it")) size = 4 * n;
  if (is(count, words, "two tensors")) size = 2 * n;
  if (is(count, words, "beyond them")) size = 3 * n + 512;
  OK(hipMemcpy(to, host.data(), size * sizeof(float), hipMemcpyHostToDevice));
  expect((to_host(second, n)[0] == 1.0f) == (to + size > second), "what became of the mask");
  return 0;
}
