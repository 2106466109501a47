// A captured step is launched 5,000 times; the host waits now and then.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  constexpr int n = 64, steps = 5000;
  const hipStream_t stream = new_stream();
  float* count = on_device(std::vector<float>(n, 0.0f));
  float* one = on_device(std::vector<float>(n, 1.0f));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  launch(kernel(module, "add"), 1, n, stream, count, one, count, n);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  for (int i = 0; i < steps; ++i) {
    OK(hipGraphLaunch(step, stream));
    static_cast<void>(hipStreamQuery(stream));  // done or not, both are right
    if (i % 500 == 0) OK(hipStreamSynchronize(stream));
  }
  OK(hipStreamSynchronize(stream));
  expect(to_host(count, n)[n - 1] == float(steps), "all steps ran");
  OK(hipGraphExecDestroy(step));
  OK(hipGraphDestroy(graph));
  return 0;
}
