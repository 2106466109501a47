// A capture with two branches on buffers of their own, joined before the result is fetched.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set"), add = kernel(module, "add");
  constexpr int n = 256;
  const hipStream_t one = new_stream(), two = new_stream();
  float *a = on_device<float>(n), *b = on_device<float>(n), *sum = on_device<float>(n);
  float* host = pinned<float>(n);
  OK(hipStreamBeginCapture(one, hipStreamCaptureModeGlobal));
  after(two, one);
  launch(set, 2, 128, one, a, 1.0f, n);
  launch(set, 2, 128, two, b, 2.0f, n);
  after(one, two);
  launch(add, 2, 128, one, a, b, sum, n);
  OK(hipMemcpyAsync(host, sum, n * sizeof(float), hipMemcpyDeviceToHost, one));
  hipGraph_t graph;
  OK(hipStreamEndCapture(one, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 10; ++i) OK(hipGraphLaunch(step, one));
  OK(hipStreamSynchronize(one));
  expect(host[n - 1] == 3.0f, "the sum is right");
  return 0;
}
