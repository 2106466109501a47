// The kernels are registered before the fork; the child alone launches one.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void __launch_bounds__(64) put(float* values, float value) { *values = value; }

__host__ int main() {
  const pid_t child = fork();
  if (child != 0) return waitpid(child, nullptr, 0) == child ? 0 : 1;
  float* values = nullptr;
  (void)hipMalloc(&values, 64);
  put<<<1, 64>>>(values, 2);
  (void)hipFree(values);
}
