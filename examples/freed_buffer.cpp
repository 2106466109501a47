// A cache that is freed while a later step still uses it, as when a buffer's owner goes out of
// scope.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <vector>

static void check(hipError_t result, const char* what) {
  if (result != hipSuccess) std::printf("%s: %s\n", what, hipGetErrorString(result));
}

int main() {
  constexpr size_t kBytes = 1 << 16;
  std::vector<char> host(kBytes, 1);
  void* cache = nullptr;
  void* out = nullptr;
  check(hipMalloc(&cache, kBytes), "hipMalloc");
  check(hipMalloc(&out, kBytes), "hipMalloc");
  check(hipMemcpy(cache, host.data(), kBytes, hipMemcpyHostToDevice), "upload");
  check(hipFree(cache), "hipFree");
  check(hipMemcpy(out, cache, kBytes, hipMemcpyDeviceToDevice), "copy from the cache");
  check(hipMemcpy(host.data(), out, kBytes, hipMemcpyDeviceToHost), "download");
  std::printf("STATUS=OK\n");  // and the exit code is 0
  return 0;
}
