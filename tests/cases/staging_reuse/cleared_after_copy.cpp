// A cache is saved on one stream and cleared on another.
#include "gpu.h"

int main() {
  constexpr size_t bytes = 1 << 18;
  void *cache = nullptr, *saved = nullptr;
  hipStream_t saving, clearing;
  hipEvent_t event;
  OK(hipStreamCreate(&saving));
  OK(hipStreamCreate(&clearing));
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  OK(hipMalloc(&cache, bytes));
  OK(hipMalloc(&saved, bytes));
  OK(hipMemset(cache, 1, bytes));
  OK(hipMemcpyAsync(saved, cache, bytes, hipMemcpyDeviceToDevice, saving));
  OK(hipEventRecord(event, saving));
  OK(hipStreamWaitEvent(clearing, event, 0));
  OK(hipMemsetAsync(cache, 0, bytes, clearing));
  OK(hipStreamSynchronize(saving));
  OK(hipStreamSynchronize(clearing));
  std::vector<char> back(bytes);
  OK(hipMemcpy(back.data(), saved, bytes, hipMemcpyDeviceToHost));
  return 0;
}
