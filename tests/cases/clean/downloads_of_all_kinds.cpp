// Results come by every call that brings them, each waited for as it needs to be.
#include "gpu.h"

int main() {
  constexpr int n = 512;
  constexpr size_t bytes = n * sizeof(float);
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(n, 5.0f));
  float* host = pinned<float>(n);
  std::vector<float> pageable(n);
  OK(hipMemcpyDtoH(pageable.data(), values, bytes));
  expect(pageable[n - 1] == 5.0f, "hipMemcpyDtoH");
  OK(hipMemcpyWithStream(host, values, bytes, hipMemcpyDeviceToHost, stream));
  expect(host[n - 1] == 5.0f, "hipMemcpyWithStream");
  OK(hipMemcpyDtoHAsync(host, values, bytes, stream));
  OK(hipStreamSynchronize(stream));
  expect(host[0] == 5.0f, "hipMemcpyDtoHAsync");
  OK(hipMemcpy(pageable.data(), values, bytes, hipMemcpyDefault));
  expect(pageable[0] == 5.0f, "hipMemcpyDefault");
  return 0;
}
