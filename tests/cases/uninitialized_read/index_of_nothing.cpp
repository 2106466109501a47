// A row of a table is looked up by an index that nobody has written: at once, by one computed from
// it, or by an entry of a table of pointers. Or the index is just wrong, and something else is
// fresh.
#include "gpu.h"

constexpr int rows = 64, width = 64, filled = 4;

static void through_pointers(hipModule_t module, bool fresh) {
  std::vector<float*> some;
  for (int i = 0; i < filled; ++i) some.push_back(on_device(std::vector<float>(width, 1.0f)));
  float** pointers = on_device<float*>(2 * filled);
  OK(hipMemcpy(pointers, some.data(), filled * sizeof(float*), hipMemcpyHostToDevice));
  const int wanted = fresh ? filled + 1 : filled - 1;
  launch(kernel(module, "fill_through_table"), 1, width, nullptr, pointers, wanted, 2.0f, width);
  OK(hipDeviceSynchronize());
  expect(!fresh && to_host(some.back(), width)[0] == 2.0f, "the row is filled");
}

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  if (is(count, words, "pointer")) through_pointers(module, true);
  const bool wrong = is(count, words, "wrong");
  const bool fresh = is(count, words, "fresh"), computed = is(count, words, "computed");
  int* id = on_device<int>(1);
  int* next = on_device(std::vector<int>(1, 1 << 28));
  float* table = on_device(std::vector<float>(rows * width, 1.0f));
  float* out = on_device<float>(width);
  float* sum = on_device<float>(1);
  if (!fresh && !computed) OK(hipMemset(id, 0, sizeof(int)));
  if (wrong) launch(kernel(module, "total"), 1, 1, nullptr, on_device<float>(width), sum, width);
  if (!wrong) launch(kernel(module, "next_id"), 1, 1, nullptr, id, next, 1 << 30);
  launch(kernel(module, "embed"), 1, width, nullptr, table, fresh ? id : next, out, width);
  OK(hipDeviceSynchronize());
  expect(count == 1 && to_host(out, width)[0] == 1.0f, "the row is there");
  through_pointers(module, false);
  return 0;
}
