// A vector is registered, used by copies on two streams, and unregistered before it goes.
#include "gpu.h"

int main() {
  constexpr int n = 2048;
  constexpr size_t bytes = n * sizeof(float);
  std::vector<float> host(n, 7.0f);
  OK(hipHostRegister(host.data(), bytes, hipHostRegisterDefault));
  const hipStream_t one = new_stream(), two = new_stream();
  float* values = on_device<float>(n);
  OK(hipMemcpyAsync(values, host.data(), bytes / 2, hipMemcpyHostToDevice, one));
  OK(hipMemcpyAsync(values + n / 2, host.data() + n / 2, bytes / 2, hipMemcpyHostToDevice, two));
  OK(hipStreamSynchronize(one));
  OK(hipStreamSynchronize(two));
  OK(hipHostUnregister(host.data()));
  expect(to_host(values, n)[n - 1] == 7.0f, "the values are there");
  return 0;
}
