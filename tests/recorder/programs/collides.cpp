// Gets a buffer from each of two HIP libraries, and gives back that of the first.
#include <dlfcn.h>

#include <cstddef>

namespace {

template <typename Function>
Function in(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

int main(int, char** arguments) {
  void* first = dlopen(arguments[1], RTLD_NOW);
  void* second = dlopen(arguments[2], RTLD_NOW);
  void* one = nullptr;
  void* other = nullptr;
  using Malloc = int (*)(void**, size_t);
  in<Malloc>(first, "hipMalloc")(&one, 64);
  in<Malloc>(second, "hipMalloc")(&other, 64);
  if (one == nullptr || one != other) return 1;
  return in<int (*)(void*)>(first, "hipFree")(one);
}
