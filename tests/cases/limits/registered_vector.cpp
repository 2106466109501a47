// A vector is registered for uploads, and has moved to other memory since, or has not.
#include "gpu.h"

int main(int count, char** words) {
  constexpr size_t n = 1 << 12;
  std::vector<float> rows(n, 1.0f);
  const float* registered = rows.data();
  OK(hipHostRegister(rows.data(), n * sizeof(float), hipHostRegisterDefault));
  const hipStream_t stream = new_stream();
  float* weights = on_device<float>(n);
  if (is(count, words, "grown")) rows.resize(4 * n);
  OK(hipMemcpyAsync(weights, registered, n * sizeof(float), hipMemcpyHostToDevice, stream));
  OK(hipStreamSynchronize(stream));
  to_host(weights, n);
  OK(hipHostUnregister(const_cast<float*>(registered)));
  return 0;
}
