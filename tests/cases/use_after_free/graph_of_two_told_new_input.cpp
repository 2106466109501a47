// Of two nodes of a captured step one gets a new input; nobody sees which handle is whose.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 2048;
  float* old_input = nullptr;
  float* input = nullptr;
  float* output = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&old_input), n * sizeof(float)));
  OK(hipMalloc(reinterpret_cast<void**>(&input), n * sizeof(float)));
  OK(hipMalloc(reinterpret_cast<void**>(&output), n * sizeof(float)));
  OK(hipMemsetAsync(old_input, 0, n * sizeof(float), stream));
  OK(hipMemsetAsync(input, 0, n * sizeof(float), stream));

  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  launch(square, 8, 256, stream, old_input, output, n);
  launch(square, 8, 256, stream, input, input, n);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));

  hipGraphNode_t nodes[2], node = nullptr;
  size_t count = 2;
  OK(hipGraphGetNodes(graph, nodes, &count));
  hipKernelNodeParams parameters;
  for (hipGraphNode_t one : nodes) {
    OK(hipGraphKernelNodeGetParams(one, &parameters));
    if (*static_cast<float**>(parameters.kernelParams[0]) == old_input) node = one;
  }
  int elements = n;
  void* arguments[] = {&input, &output, &elements};
  parameters.kernelParams = arguments;
  OK(hipGraphExecKernelNodeSetParams(step, node, &parameters));
  OK(hipFree(old_input));
  OK(hipGraphLaunch(step, stream));
  std::vector<float> host(n);
  OK(hipMemcpyAsync(host.data(), output, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
