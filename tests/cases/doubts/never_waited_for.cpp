// The last result comes into pinned memory, and the program ends: without a wait, or with one.
#include "gpu.h"

int main(int count, char** words) {
  const bool unwaited = is(count, words, "unwaited");
  const hipModule_t module = load_kernels();
  constexpr int n = 4096;
  const hipStream_t stream = new_stream();
  float* values = on_device(std::vector<float>(n, 3.0f));
  float* host = pinned<float>(n);
  host[0] = 0.0f;
  hold(module, stream);
  OK(hipMemcpyAsync(host, values, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  if (!unwaited) OK(hipStreamSynchronize(stream));
  const float seen = *static_cast<volatile float*>(host);
  if (unwaited) {
    tell(seen == 0.0f, "seen too early");
  } else {
    expect(seen == 3.0f, "seen in time");
  }
  std::fflush(stdout);
  std::_Exit(0);
}
