// One of three ways to make the same calls; the others are workload_bindings.py and
// workload_ctypes.py.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr size_t kFloats = 256;
constexpr size_t kBytes = kFloats * sizeof(float);

void expect(hipError_t result, hipError_t expected = hipSuccess) {
  if (result == expected) return;
  std::fprintf(stderr, "got %d, expected %d\n", result, expected);
  std::exit(1);
}

}  // namespace

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  hipModule_t module;
  hipFunction_t scale;
  hipStream_t stream;
  hipEvent_t event;
  void* device;
  void* host;
  expect(hipSetDevice(0));
  expect(hipModuleLoadData(&module, code.data()));
  expect(hipModuleGetFunction(&scale, module, "scale"));
  expect(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  expect(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  expect(hipMalloc(&device, kBytes));
  expect(hipHostMalloc(&host, kBytes, 0));
  expect(hipMemsetAsync(device, 0, kBytes, stream));
  expect(hipMemcpyAsync(device, host, kBytes, hipMemcpyHostToDevice, stream));
  int n = kFloats;
  float factor = 2.5f;
  void* values[] = {&device, &n, &factor};
  expect(hipModuleLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, stream, values, nullptr));
  expect(hipEventRecord(event, stream));
  expect(hipMemcpyAsync(host, device, kBytes, hipMemcpyDeviceToHost, stream));
  expect(hipEventSynchronize(event));
  expect(hipStreamSynchronize(stream));
  expect(hipFree(reinterpret_cast<void*>(0x10)), hipErrorInvalidValue);
  expect(hipHostFree(host));
  expect(hipFree(device));
  expect(hipEventDestroy(event));
  expect(hipStreamDestroy(stream));
  expect(hipModuleUnload(module));
  return 0;
}
