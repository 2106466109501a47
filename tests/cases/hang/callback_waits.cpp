// A host function waits for something that the main thread does only after the stream is done.
#include <condition_variable>
#include <mutex>

#include "gpu.h"

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
};

static void wait_at(void* given) {
  Gate& gate = *static_cast<Gate*>(given);
  std::unique_lock<std::mutex> lock(gate.mutex);
  gate.changed.wait(lock, [&] { return gate.open; });
}

static void open_up(Gate& gate) {
  const std::lock_guard<std::mutex> lock(gate.mutex);
  gate.open = true;
  gate.changed.notify_all();
}

int main(int count, char** words) {
  const bool forever = is(count, words, "forever");
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  const hipStream_t stream = new_stream();
  float* values = on_device<float>(n);
  Gate gate;
  OK(hipLaunchHostFunc(stream, wait_at, &gate));
  launch(kernel(module, "set"), 2, 128, stream, values, 1.0f, n);
  if (!forever) open_up(gate);
  if (forever) lose_patience();
  OK(hipStreamSynchronize(stream));
  if (forever) open_up(gate);
  expect(!forever && to_host(values, n)[0] == 1.0f, "the values are there");
  return 0;
}
