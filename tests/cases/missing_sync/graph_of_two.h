// A graph that is built node by node: an empty one, then a kernel, and a copy of what it makes.
#pragma once

#include "gpu.h"

inline hipGraphNode_t add_kernel(hipGraph_t graph, hipGraphNode_t after, hipFunction_t function,
                                 float* values, int n) {
  float value = 3;
  void* arguments[] = {&values, &value, &n};
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(function);
  params.gridDim = dim3(n / 128);
  params.blockDim = dim3(128);
  params.kernelParams = arguments;
  hipGraphNode_t node;
  OK(hipGraphAddKernelNode(&node, graph, &after, 1, &params));
  return node;
}

inline int run_graph(bool in_turn) {
  constexpr int n = 4096;
  constexpr size_t bytes = n * sizeof(float);
  const hipModule_t module = load_kernels();
  float *values = nullptr, *pinned = nullptr;
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipMalloc(reinterpret_cast<void**>(&values), bytes));
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), bytes, hipHostMallocDefault));
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t begin, copy;
  OK(hipGraphAddEmptyNode(&begin, graph, nullptr, 0));
  const hipGraphNode_t make = add_kernel(graph, begin, kernel(module, "set"), values, n);
  OK(hipGraphAddMemcpyNode1D(&copy, graph, &begin, 1, pinned, values, bytes,
                             hipMemcpyDeviceToHost));
  if (in_turn) OK(hipGraphAddDependencies(graph, &make, &copy, 1));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
