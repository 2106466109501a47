// A thread of the program itself ends it when the others take too long.
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gpu.h"

int main(int count, char** words) {
  const bool forever = is(count, words, "forever");
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(), two = new_stream();
  int* flag = on_device(std::vector<int>(1, 0));
  std::atomic<bool> done{false};
  std::thread watchdog([&] {
    for (int tenths = 0; !done && (tenths < 30 || !forever); ++tenths) usleep(100000);
    if (!done) std::exit(3);
  });
  launch(kernel(module, "wait_for"), 1, 1, one, flag);
  if (!forever) launch(kernel(module, "raise_flag"), 1, 1, two, flag);
  OK(hipStreamSynchronize(one));
  OK(hipStreamSynchronize(two));
  done = true;
  watchdog.join();
  expect(to_host(flag, 1)[0] == 1, "the flag is raised");
  return 0;
}
