// The host looks at a box that was copied into pinned memory: before it has waited, or after.
#include "gpu.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr size_t width = 64 * sizeof(float), rows = 8, slices = 4;
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(64 * rows * slices, 3.0f));
  float* host = pinned<float>(64 * rows * slices);
  host[0] = 0.0f;
  hold(module, stream);
  hipMemcpy3DParms box = {};
  box.srcPtr = make_hipPitchedPtr(values, width, width, rows);
  box.dstPtr = make_hipPitchedPtr(host, width, width, rows);
  box.extent = make_hipExtent(width, rows, slices);
  box.kind = hipMemcpyDeviceToHost;
  OK(hipMemcpy3DAsync(&box, stream));
  if (!early) OK(hipStreamSynchronize(stream));
  const float seen = *static_cast<volatile float*>(host);
  OK(hipStreamSynchronize(stream));
  expect_seen(early, seen);
  return 0;
}
