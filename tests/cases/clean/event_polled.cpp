// The host asks an event until it is there, and only then looks.
#include <chrono>
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  constexpr auto a_while = std::chrono::microseconds(50);
  const hipStream_t one = new_stream(), two = new_stream();
  float *values = on_device<float>(n), *host = pinned<float>(n);
  const hipEvent_t done = new_event();
  hold(module, one);
  launch(kernel(module, "set"), n / 128, 128, one, values, 4.0f, n);
  OK(hipEventRecord(done, one));
  while (hipEventQuery(done) == hipErrorNotReady) std::this_thread::sleep_for(a_while);
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, two));
  while (hipStreamQuery(two) == hipErrorNotReady) std::this_thread::sleep_for(a_while);
  expect(host[n - 1] == 4.0f, "the values are there");
  return 0;
}
