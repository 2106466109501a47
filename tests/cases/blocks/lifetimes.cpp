// A tensor of an arena is given back, and used afterwards, or before.
#include "arena.h"

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 1024;
  const bool late = is(count, words, "kernel late"), download = is(count, words, "download late");
  const bool again = is(count, words, "again"), unannounced = is(count, words, "unannounced");
  const hipStream_t stream = new_stream();
  const Arena arena(8 * n);
  float* hidden = arena.tensor("hidden", n, n, stream);
  float* output = arena.tensor("output", 4 * n, n, stream);
  launch(square, 8, 128, stream, hidden, output, n);
  if (is(count, words, "graph")) {
    // As a framework's pool of a graph: a tensor is over when the capture is, its memory is not.
    hipGraph_t graph;
    hipGraphExec_t step;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    float* inner = arena.tensor("inner", 6 * n, n, stream);
    launch(square, 8, 128, stream, hidden, inner, n);
    launch(square, 8, 128, stream, inner, output, n);
    end_of(inner, stream);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&step, graph, nullptr, nullptr, 0));
    for (int i = 0; i < 3; ++i) OK(hipGraphLaunch(step, stream));
  }
  OK(hipStreamSynchronize(stream));
  if (!late && !download) to_host(hidden, n);
  end_of(hidden, stream);
  if (again) hidden = arena.tensor("hidden of the next", n, 2 * n, stream);
  if (unannounced) launch(square, 8, 128, stream, output, arena.base + 3 * n, n);
  if (late || again || unannounced) launch(square, 8, 128, stream, output, hidden, n);
  OK(hipStreamSynchronize(stream));
  if (download) to_host(hidden, n);
  return 0;
}
