// A thread waits for the stream of another one, which then uses the result on a third stream.
#include <future>
#include <thread>

#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set"), square = kernel(module, "square");
  constexpr int n = 256;
  const hipStream_t one = new_stream(), two = new_stream();
  float *a = on_device<float>(n), *b = on_device<float>(n);
  std::promise<void> launched, waited;
  std::thread waiter([&] {
    launched.get_future().wait();
    OK(hipStreamSynchronize(one));
    waited.set_value();
  });
  launch(set, 2, 128, one, a, 3.0f, n);
  launched.set_value();
  waited.get_future().wait();
  launch(square, 2, 128, two, a, b, n);
  OK(hipStreamSynchronize(two));
  waiter.join();
  expect(to_host(b, n)[n - 1] == 9.0f, "squared in time");
  return 0;
}
