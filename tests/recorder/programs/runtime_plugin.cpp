// Linked with a HIP library. Each function asks for the name of an error in another way; the text
// it gets lies in the library that answered.
#include <dlfcn.h>
#include <hip/hip_runtime.h>

using Name = const char* (*)(hipError_t);

namespace {
const char* asked(void* function) {
  return function != nullptr ? reinterpret_cast<Name>(function)(hipSuccess) : nullptr;
}
}  // namespace

extern "C" __attribute__((weak)) const char* (*registered)();

extern "C" {
// The last step of a function: who called it seems to make the call.
const char* by_tail() { return hipGetErrorName(hipSuccess); }
const char* by_late_link() {
  const char* volatile name = hipGetErrorString(hipSuccess);
  return name;
}
__attribute__((constructor)) static void say_who_we_are() {
  if (&registered != nullptr) registered = by_tail;
}
const char* by_link() {
  const char* volatile name = hipGetErrorName(hipSuccess);
  return name;
}
const char* by_default() {
  const char* volatile name = asked(dlsym(RTLD_DEFAULT, "hipGetErrorName"));
  return name;
}
const char* by_next() {
  const char* volatile name = asked(dlsym(RTLD_NEXT, "hipGetErrorName"));
  return name;
}
const char* by_address() {
  void* function = nullptr;
  hipDriverProcAddressQueryResult status;
  if (hipGetProcAddress("hipGetErrorName", &function, 70000000, 0, &status) != hipSuccess) {
    return nullptr;
  }
  const char* volatile name = asked(function);
  return name;
}
void* allocate() {
  void* memory = nullptr;
  return hipMalloc(&memory, 64) == hipSuccess ? memory : nullptr;
}
}
