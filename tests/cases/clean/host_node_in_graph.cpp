// A graph with a host function between two kernels.
#include "gpu.h"

static void count_up(void* counter) { ++*static_cast<int*>(counter); }

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t scale = kernel(module, "scale");
  constexpr int n = 128;
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(n, 1.0f));
  int steps = 0;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  launch(scale, 1, n, stream, values, 2.0f, n);
  OK(hipLaunchHostFunc(stream, count_up, &steps));
  launch(scale, 1, n, stream, values, 0.5f, n);
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t step;
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 5; ++i) OK(hipGraphLaunch(step, stream));
  OK(hipStreamSynchronize(stream));
  expect(steps == 5 && to_host(values, n)[n - 1] == 1.0f, "five steps");
  return 0;
}
