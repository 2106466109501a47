// A producer fills slots, a consumer fetches them: a queue with a mutex, and an event for each
// slot.
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 128, slots = 4, items = 200;
  const hipStream_t one = new_stream(), two = new_stream();
  float* memory[slots];
  hipEvent_t filled[slots];
  for (int i = 0; i < slots; ++i) memory[i] = on_device<float>(n), filled[i] = new_event();
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<int> ready, empty;
  for (int i = 0; i < slots; ++i) empty.push(i);
  const auto take = [&](std::queue<int>& from) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !from.empty(); });
    const int slot = from.front();
    from.pop();
    return slot;
  };
  const auto give = [&](std::queue<int>& to, int slot) {
    const std::lock_guard<std::mutex> lock(mutex);
    to.push(slot);
    changed.notify_all();
  };
  std::thread producer([&] {
    for (int item = 0; item < items; ++item) {
      const int slot = take(empty);
      launch(set, 1, n, one, memory[slot], float(item), n);
      OK(hipEventRecord(filled[slot], one));
      give(ready, slot);
    }
  });
  float* host = pinned<float>(n);
  for (int item = 0; item < items; ++item) {
    const int slot = take(ready);
    OK(hipStreamWaitEvent(two, filled[slot], 0));
    OK(hipMemcpyAsync(host, memory[slot], n * sizeof(float), hipMemcpyDeviceToHost, two));
    OK(hipStreamSynchronize(two));
    expect(host[n - 1] == float(item), "the item is right");
    give(empty, slot);
  }
  producer.join();
  return 0;
}
