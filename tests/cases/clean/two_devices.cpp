// Each of two devices has half of the rows; a peer copy brings the halves together.
#include "gpu.h"

int main() {
  constexpr int n = 512;
  constexpr size_t bytes = n * sizeof(float);
  float* halves[2];
  hipStream_t streams[2];
  hipEvent_t done[2];
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    const hipModule_t module = load_kernels();
    halves[device] = on_device<float>(n);
    streams[device] = new_stream();
    done[device] = new_event();
    launch(kernel(module, "set"), n / 128, 128, streams[device], halves[device], 1.0f + device, n);
    OK(hipEventRecord(done[device], streams[device]));
  }
  OK(hipSetDevice(0));
  float* both = on_device<float>(2 * n);
  OK(hipMemcpyAsync(both, halves[0], bytes, hipMemcpyDeviceToDevice, streams[0]));
  OK(hipStreamWaitEvent(streams[0], done[1], 0));
  OK(hipMemcpyPeerAsync(both + n, 0, halves[1], 1, bytes, streams[0]));
  OK(hipStreamSynchronize(streams[0]));
  const std::vector<float> host = to_host(both, 2 * n);
  expect(host[n - 1] == 1.0f && host[n] == 2.0f, "both halves are there");
  return 0;
}
