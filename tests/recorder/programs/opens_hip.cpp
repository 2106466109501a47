// Opens the HIP library itself.
#include <dlfcn.h>

#include <cstddef>

int main() {
  void* hip = dlopen("libamdhip64.so", RTLD_NOW | RTLD_LOCAL);
  if (hip == nullptr) return 1;
  int count;
  void* memory;
  reinterpret_cast<int (*)(int*)>(dlsym(hip, "hipGetDeviceCount"))(&count);
  reinterpret_cast<int (*)(void**, size_t)>(dlsym(hip, "hipMalloc"))(&memory, 64);
  reinterpret_cast<int (*)(void*)>(dlsym(hip, "hipFree"))(memory);
  return 0;
}
