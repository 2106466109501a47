// A kernel fills managed memory; the host looks before it waits, or after.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* values = nullptr;
  OK(hipMallocManaged(reinterpret_cast<void**>(&values), n * sizeof(float), hipMemAttachGlobal));
  for (int i = 0; i < n; ++i) values[i] = 0.0f;
  hold(module, stream);
  launch(kernel(module, "set"), n / 128, 128, stream, values, 3.0f, n);
  if (!early) OK(hipStreamSynchronize(stream));
  const float seen = *static_cast<volatile float*>(values);
  OK(hipStreamSynchronize(stream));
  expect_seen(early, seen);
  expect(to_host(values, n)[0] == 3.0f, "the copy has it");
  return 0;
}
