// Copies outside and inside a capture, and the graph of them launched.
#include <hip/hip_runtime_api.h>
#include <stdlib.h>

static void check(hipError_t error) {
  if (error != hipSuccess) exit(9);
}

int main() {
  void *device, *host;
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t exec;
  check(hipMalloc(&device, 4096));
  check(hipHostMalloc(&host, 4096, 0));
  check(hipStreamCreate(&stream));
  check(hipMemsetAsync(device, 1, 4096, stream));  // operation 1
  check(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  check(hipMemcpyAsync(host, device, 4096, hipMemcpyDeviceToHost, stream));  // 2, captured
  ((volatile char *)host)[0] = 1;                                            // no copy is in flight
  check(hipStreamEndCapture(stream, &graph));
  check(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  check(hipGraphLaunch(exec, stream));                                       // 3
  check(hipMemcpyAsync(device, host, 4096, hipMemcpyHostToDevice, stream));  // 4
  check(hipStreamSynchronize(stream));
  return 0;
}
