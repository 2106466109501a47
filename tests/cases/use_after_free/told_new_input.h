// A captured step that is launched, told a new input, and launched again when the old one is freed.
#pragma once
#include "gpu.h"

constexpr int n = 2048;

inline float* buffer() {
  float* made = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&made), n * sizeof(float)));
  return made;
}

struct ToldNewInput {
  hipFunction_t square = kernel(load_kernels(), "square");
  float* old_input = buffer();
  float* input = buffer();
  float* output = buffer();
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t step;

  ToldNewInput() {
    OK(hipStreamCreate(&stream));
    OK(hipMemsetAsync(old_input, 0, n * sizeof(float), stream));
    OK(hipMemsetAsync(input, 0, n * sizeof(float), stream));
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    launch(square, 8, 256, stream, old_input, output, n);
  }

  void captured() {
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
    OK(hipGraphLaunch(step, stream));
    OK(hipStreamSynchronize(stream));
  }

  void tell(hipGraphNode_t node) {
    hipKernelNodeParams parameters;
    OK(hipGraphKernelNodeGetParams(node, &parameters));
    int elements = n;
    void* arguments[] = {&input, &output, &elements};
    parameters.kernelParams = arguments;
    OK(hipGraphExecKernelNodeSetParams(step, node, &parameters));
  }

  void launched_again() {
    OK(hipFree(old_input));
    OK(hipGraphLaunch(step, stream));
    std::vector<float> host(n);
    OK(hipMemcpyAsync(host.data(), output, n * sizeof(float), hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
  }
};
