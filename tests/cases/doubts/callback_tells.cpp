// A host function tells the program that a kernel is done: enqueued behind the kernel, or before
// it.
#include <atomic>
#include <thread>

#include "gpu.h"

static void tell_host(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

int main(int count, char** words) {
  const bool before = is(count, words, "before");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t one = new_stream(), two = new_stream();
  // By the kernel itself: that it writes there is then known.
  float* values = on_device<float>(n);
  launch(kernel(module, "set"), n / 128, 128, one, values, 0.0f, n);
  OK(hipDeviceSynchronize());
  float* host = pinned<float>(n);
  std::atomic<bool> told{false};
  if (before) OK(hipLaunchHostFunc(one, tell_host, &told));
  hold(module, one);
  launch(kernel(module, "set"), n / 128, 128, one, values, 3.0f, n);
  if (!before) OK(hipLaunchHostFunc(one, tell_host, &told));
  while (!told) std::this_thread::yield();
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, two));
  OK(hipStreamSynchronize(two));
  if (before) {
    tell(host[0] == 0.0f, "fetched too early");
  } else {
    expect(host[0] == 3.0f, "fetched in time");
  }
  OK(hipDeviceSynchronize());
  return 0;
}
