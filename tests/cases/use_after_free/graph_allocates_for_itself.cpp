// A captured step allocates what it needs, frees it, and is launched three times.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set");
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 2048;
  float* scratch = nullptr;
  float* output = nullptr;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipMalloc(reinterpret_cast<void**>(&output), n * sizeof(float)));

  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  OK(hipMallocAsync(reinterpret_cast<void**>(&scratch), n * sizeof(float), stream));
  launch(set, 8, 256, stream, scratch, 3.0f, n);
  launch(square, 8, 256, stream, scratch, output, n);
  OK(hipFreeAsync(scratch, stream));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) OK(hipGraphLaunch(step, stream));
  std::vector<float> host(n);
  OK(hipMemcpyAsync(host.data(), output, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  OK(hipStreamSynchronize(stream));
  return 0;
}
