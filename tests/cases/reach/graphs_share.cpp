// Two graphs on two streams: the second reads what the first writes. It waits for it, or does not.
#include "gpu.h"

hipGraphExec_t captured(hipModule_t module, hipStream_t stream, const float* in, float* out, int n,
                        bool slow) {
  hipGraph_t graph;
  hipGraphExec_t step;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  if (slow) hold(module, stream);
  launch(kernel(module, "square"), n / 128, 128, stream, in, out, n);
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
  return step;
}

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr int n = 1024;
  const hipStream_t one = new_stream(), two = new_stream();
  float* in = on_device(std::vector<float>(n, 2.0f));
  float* between = on_device(std::vector<float>(n, 0.0f));
  float* out = on_device(std::vector<float>(n, 0.0f));
  const hipGraphExec_t first = captured(module, one, in, between, n, true);
  const hipGraphExec_t second = captured(module, two, between, out, n, false);
  OK(hipDeviceSynchronize());
  OK(hipGraphLaunch(first, one));
  if (!is(count, words, "early")) after(two, one);
  OK(hipGraphLaunch(second, two));
  OK(hipDeviceSynchronize());
  to_host(out, n);
  return 0;
}
