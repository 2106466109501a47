// One thread computes and waits, another one downloads: after it was told, or after some time.
#include <chrono>
#include <future>
#include <thread>

#include "gpu.h"

int main(int count, char** words) {
  const bool by_time = is(count, words, "by time");
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 4096;
  float* values = on_device<float>(n);
  const hipStream_t one = new_stream(), two = new_stream();
  std::promise<void> done;
  std::thread producer([&] {
    launch(set, n / 128, 128, one, values, 1.0f, n);
    OK(hipStreamSynchronize(one));
    done.set_value();
  });
  std::thread consumer([&] {
    if (by_time) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } else {
      done.get_future().wait();
    }
    std::vector<float> host(n);
    OK(hipMemcpyAsync(host.data(), values, n * sizeof(float), hipMemcpyDeviceToHost, two));
    OK(hipStreamSynchronize(two));
    if (!by_time) expect(host[0] == 1.0f, "the values are there");
  });
  producer.join();
  consumer.join();
  return 0;
}
