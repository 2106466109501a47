// Puts itself before hipMalloc, as tools do that count allocations, and goes on to the next one; or
// to HIP's own, if WRAPPER_OPENS names it.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" int hipMalloc(void** memory, size_t bytes) {
  using Function = int (*)(void**, size_t);
  const char* library = std::getenv("WRAPPER_OPENS");
  void* handle = library != nullptr ? dlopen(library, RTLD_NOW) : RTLD_NEXT;
  std::puts("wrapped");
  return reinterpret_cast<Function>(dlsym(handle, "hipMalloc"))(memory, bytes);
}
