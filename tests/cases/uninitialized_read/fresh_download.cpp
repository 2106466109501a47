// Fresh memory is fetched, with or without anything in it.
#include "gpu.h"

int main(int count, char** words) {
  const bool fresh = is(count, words, "fresh");
  constexpr int n = 1024;
  int* values = on_device<int>(n);
  if (!fresh) OK(hipMemset(values, 0, n * sizeof(int)));
  const std::vector<int> found = to_host(values, n);
  if (!fresh) expect(found[n - 1] == 0, "all are zero");
  return 0;
}
