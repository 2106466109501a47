// Pages that were registered are uploaded, and unmapped before the copy has read them.
#include "unmap.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const bool beside_kernel = count > 2;
  const hipModule_t module = load_kernels();
  constexpr size_t n = 1 << 16, bytes = n * sizeof(float);
  const hipStream_t one = new_stream(), two = new_stream();
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  OK(hipHostRegister(pages, bytes, hipHostRegisterDefault));
  static_cast<float*>(pages)[n - 1] = 4.0f;
  float* values = on_device<float>(n);
  float* others = on_device(std::vector<float>(n, 1.0f));
  if (beside_kernel) hold(module, two);
  if (beside_kernel) launch(kernel(module, "scale"), n / 256, 256, two, others, 2.0f, int(n));
  hold(module, one);
  OK(hipMemcpyAsync(values, pages, bytes, hipMemcpyHostToDevice, one));
  if (!early) OK(hipStreamSynchronize(one));
  if (!early) OK(hipHostUnregister(pages));
  unmap(pages, bytes);
  OK(hipDeviceSynchronize());
  expect(to_host(values, n)[n - 1] == 4.0f, "the values are there");
  return 0;
}
