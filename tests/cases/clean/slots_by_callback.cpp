// A host function gives a staging slot back when its upload is over.
#include <condition_variable>
#include <mutex>
#include <vector>

#include "gpu.h"

struct Slots {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> free{0, 1, 2};
};
struct Used {
  Slots* slots;
  int slot;
};

static void give_back(void* given) {
  const Used& used = *static_cast<Used*>(given);
  const std::lock_guard<std::mutex> lock(used.slots->mutex);
  used.slots->free.push_back(used.slot);
  used.slots->changed.notify_all();
}

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 128, uploads = 100;
  const hipStream_t stream = new_stream();
  float* staging = pinned<float>(3 * n);
  float *values = on_device<float>(n), *sum = on_device(std::vector<float>(n, 0.0f));
  Slots slots;
  std::vector<Used> used(uploads);
  for (int upload = 0; upload < uploads; ++upload) {
    std::unique_lock<std::mutex> lock(slots.mutex);
    slots.changed.wait(lock, [&] { return !slots.free.empty(); });
    const int slot = slots.free.back();
    slots.free.pop_back();
    lock.unlock();
    for (int i = 0; i < n; ++i) staging[slot * n + i] = float(upload);
    OK(hipMemcpyAsync(values, staging + slot * n, n * sizeof(float), hipMemcpyHostToDevice,
                      stream));
    used[upload] = {&slots, slot};
    OK(hipLaunchHostFunc(stream, give_back, &used[upload]));
    launch(kernel(module, "add"), 1, n, stream, sum, values, sum, n);
  }
  OK(hipStreamSynchronize(stream));
  expect(to_host(sum, n)[n - 1] == uploads * (uploads - 1) / 2.0f, "all uploads arrived");
  return 0;
}
