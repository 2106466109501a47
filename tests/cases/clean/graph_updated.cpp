// Each step is captured anew, for other buffers, and the executable graph is updated.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  constexpr int n = 128;
  const hipStream_t stream = new_stream();
  hipGraphExec_t step = nullptr;
  for (int i = 0; i < 8; ++i) {
    float* values = on_device<float>(n);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    launch(set, 1, n, stream, values, float(i), n);
    hipGraph_t graph;
    OK(hipStreamEndCapture(stream, &graph));
    if (step == nullptr) {
      OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
    } else {
      hipGraphNode_t node;
      hipGraphExecUpdateResult result;
      OK(hipGraphExecUpdate(step, graph, &node, &result));
    }
    OK(hipGraphLaunch(step, stream));
    OK(hipStreamSynchronize(stream));
    expect(to_host(values, n)[n - 1] == float(i), "the step used its own buffer");
    OK(hipGraphDestroy(graph));
    OK(hipFree(values));
  }
  return 0;
}
