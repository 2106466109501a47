#include "device/native_kernels.h"

#include <dlfcn.h>

#include <string>

#include "device/settings.h"
#include "environment.h"

namespace greta::sim {
namespace {

using Finder = greta_simt_entry (*)(const char* key);

// The folder that this library was loaded from, with a slash at its end.
std::string own_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&find_native_kernel), &info) == 0) return "";
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

// Null where the library is missing. It stays loaded: kernels may run until the process ends.
Finder open_library() {
  const std::string path = own_folder() + "libgreta_kernels.so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<Finder>(dlsym(library, "greta_find_native_kernel"));
}

bool is_wanted() {
  const bool checked = settings().placement == Placement::strict || settings().footprints;
  return !checked && variable("GRETA_SIM_NATIVE_KERNELS") != "0";
}

}  // namespace

greta_simt_entry find_native_kernel(const char* key) {
  if (!is_wanted()) return nullptr;
  static const Finder find = open_library();
  return find != nullptr ? find(key) : nullptr;
}

}  // namespace greta::sim
