// A child is forked when its parent has loaded the code, and works with a __device__ variable.
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"

namespace {

int child(hipModule_t module, bool races) {
  float* in = on_device(std::vector<float>(64, 2.0f));
  float* out = on_device<float>(64);
  const hipStream_t a = new_stream(), b = new_stream();
  launch(kernel(module, "put_row"), 1, 64, a, in, 64);
  if (!races) after(b, a);
  launch(kernel(module, "get_row"), 1, 64, b, out, 64);
  OK(hipDeviceSynchronize());
  const float got = to_host(out, 64)[63];
  if (!races) expect(got == 2.0f, "the row is there");
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const pid_t pid = fork();
  if (pid == 0) return child(module, is(count, words, "races"));
  int status = 0;
  waitpid(pid, &status, 0);
  return WEXITSTATUS(status);
}
