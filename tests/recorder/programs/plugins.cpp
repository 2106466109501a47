// Opens plugins one after the other, calls their function and closes them.  plugins FILE...
#include <dlfcn.h>
#include <hip/hip_runtime.h>

int main(int, char** arguments) {
  hipPeekAtLastError();
  for (char** file = arguments + 1; *file != nullptr; ++file) {
    void* plugin = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return 1;
    reinterpret_cast<int (*)()>(dlsym(plugin, "call_hip"))();
    dlclose(plugin);
  }
  return 0;
}
