// An executable graph is launched after it was destroyed, or before.
#include "gpu.h"

int main(int count, char** words) {
  const bool stale = is(count, words, "stale");
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  float* values = on_device<float>(n);
  const hipStream_t stream = new_stream();
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  launch(kernel(module, "set"), n / 128, 128, stream, values, 1.0f, n);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  OK(hipGraphDestroy(graph));
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  if (stale) OK(hipGraphExecDestroy(step));
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  expect(!stale && to_host(values, n)[0] == 1.0f, "all are one");
  OK(hipGraphExecDestroy(step));
  return 0;
}
