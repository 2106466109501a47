// A staging buffer is filled again for the next upload. A host function behind each upload counts;
// the program waits for the stream, or for nothing.
#include <atomic>

#include "gpu.h"

static void count_up(void* done) { ++*static_cast<std::atomic<int>*>(done); }

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  const hipStream_t stream = new_stream();
  float* staging = pinned<float>(n);
  float* values = on_device<float>(n);
  std::atomic<int> done{0};
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < n; ++i) staging[i] = static_cast<float>(turn);
    hold(module, stream);
    OK(hipMemcpyAsync(values, staging, n * sizeof(float), hipMemcpyHostToDevice, stream));
    OK(hipLaunchHostFunc(stream, count_up, &done));
    if (!early) OK(hipStreamSynchronize(stream));
  }
  OK(hipStreamSynchronize(stream));
  expect(to_host(values, n)[n - 1] == 1.0f, "the last turn is there");
  return 0;
}
