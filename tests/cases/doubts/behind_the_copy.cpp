// The host looks at a result in pinned memory. Behind the copy, a host function or a kernel counts,
// as the program asks for: it may wait for the count, for the stream, or for nothing.
#include <atomic>

#include "gpu.h"

static void count_up(void* done) { ++*static_cast<std::atomic<int>*>(done); }

int main(int count, char** words) {
  const bool early = is(count, words, "early"), told = is(count, words, "told");
  const bool by_kernel = count > 2;
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(n, 3.0f));
  float* host = pinned<float>(n);
  int* flag = pinned<int>(1);
  std::atomic<int> done{0};
  *flag = 0;
  host[0] = 0.0f;
  hold(module, stream);
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  if (by_kernel) {
    launch(kernel(module, "bump"), 1, 1, stream, flag);
  } else {
    OK(hipLaunchHostFunc(stream, count_up, &done));
  }
  if (!early && !told) OK(hipStreamSynchronize(stream));
  while (told && done == 0 && *static_cast<volatile int*>(flag) == 0) std::this_thread::yield();
  const float seen = *static_cast<volatile float*>(host);
  OK(hipStreamSynchronize(stream));
  expect_seen(early, seen);
  return 0;
}
