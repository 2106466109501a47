// stage CODE KERNEL BAD: launches one kernel of staged.hip, and says how that ended.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                         \
  if (const hipError_t error = (call)) {                    \
    std::printf("%s: %s\n", #call, hipGetErrorName(error)); \
    return 1;                                               \
  }

int main(int, char** words) {
  unsigned n = 1000, bad = static_cast<unsigned>(std::atoi(words[3]));
  std::vector<unsigned> numbers(n);
  for (unsigned i = 0; i < n; ++i) numbers[i] = i;
  hipModule_t module;
  hipFunction_t kernel;
  void *out, *in;
  CHECK(hipModuleLoad(&module, words[1]));
  CHECK(hipModuleGetFunction(&kernel, module, words[2]));
  CHECK(hipMalloc(&out, n * sizeof(unsigned)));
  CHECK(hipMalloc(&in, n * sizeof(unsigned)));
  CHECK(hipMemcpy(in, numbers.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));
  CHECK(hipMemset(out, 0, n * sizeof(unsigned)));
  void* arguments[] = {&out, &in, &n, &bad};
  CHECK(hipModuleLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 1024, nullptr, arguments, nullptr));
  CHECK(hipDeviceSynchronize());
  CHECK(hipMemcpy(numbers.data(), out, n * sizeof(unsigned), hipMemcpyDeviceToHost));
  CHECK(hipFree(out));
  CHECK(hipFree(in));
  std::puts("ended");
  return 0;
}
