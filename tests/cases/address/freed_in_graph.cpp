// A graph's copy node reads a buffer that is freed before the graph is launched again.
#include "gpu.h"

int main(int count, char** words) {
  const bool freed = is(count, words, "freed");
  constexpr int n = 2048;
  constexpr size_t bytes = n * sizeof(float);
  float* from = on_device(std::vector<float>(n, 1.0f));
  float* to = on_device<float>(n);
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t copy;
  OK(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, to, from, bytes, hipMemcpyDeviceToDevice));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  const hipStream_t stream = new_stream();
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  if (freed) OK(hipFree(from));
  OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  expect(!freed && to_host(to, n)[n - 1] == 1.0f, "all is copied");
  return 0;
}
