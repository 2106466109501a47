// An event is destroyed by its owner, and by the one who borrowed it.
#include "gpu.h"

int main(int count, char** words) {
  const bool stale = is(count, words, "stale");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* values = on_device<float>(n);
  const hipStream_t stream = new_stream();
  const hipEvent_t event = new_event();
  launch(kernel(module, "set"), n / 128, 128, stream, values, 1.0f, n);
  OK(hipEventRecord(event, stream));
  OK(hipEventSynchronize(event));
  expect(to_host(values, n)[0] == 1.0f, "all are one");
  OK(hipEventDestroy(event));
  if (stale) OK(hipEventDestroy(event));
  return 0;
}
