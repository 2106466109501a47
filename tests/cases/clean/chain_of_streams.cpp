// Eight streams in a ring; each step waits for the one before it.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t add = kernel(module, "add");
  constexpr int n = 128, streams = 8, steps = 64;
  hipStream_t ring[streams];
  hipEvent_t done[streams];
  for (int i = 0; i < streams; ++i) ring[i] = new_stream(), done[i] = new_event();
  float* count = on_device(std::vector<float>(n, 0.0f));
  float* one = on_device(std::vector<float>(n, 1.0f));
  for (int step = 0; step < steps; ++step) {
    const int here = step % streams, before = (step + streams - 1) % streams;
    if (step > 0) OK(hipStreamWaitEvent(ring[here], done[before], 0));
    launch(add, 1, n, ring[here], count, one, count, n);
    OK(hipEventRecord(done[here], ring[here]));
  }
  OK(hipEventSynchronize(done[(steps - 1) % streams]));
  expect(to_host(count, n)[n - 1] == float(steps), "every step counted");
  return 0;
}
