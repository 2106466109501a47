// The only node of a captured step gets a new input before the old one is freed.
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
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));

  hipGraphNode_t node;
  size_t count = 1;
  OK(hipGraphGetNodes(graph, &node, &count));
  hipKernelNodeParams parameters;
  OK(hipGraphKernelNodeGetParams(node, &parameters));
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
