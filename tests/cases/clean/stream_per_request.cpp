// 300 requests, each with a stream, an event and memory that are gone afterwards.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 64;
  for (int request = 0; request < 300; ++request) {
    const hipStream_t stream = new_stream();
    const hipEvent_t done = new_event();
    float *values = on_device<float>(n), *host = pinned<float>(n);
    launch(set, 1, n, stream, values, float(request), n);
    OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, stream));
    OK(hipEventRecord(done, stream));
    OK(hipEventSynchronize(done));
    expect(host[n - 1] == float(request), "the answer is right");
    OK(hipEventDestroy(done));
    OK(hipStreamDestroy(stream));
    OK(hipFree(values));
    OK(hipHostFree(host));
  }
  return 0;
}
