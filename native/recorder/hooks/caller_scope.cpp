#include "recorder/hooks/caller_scope.h"

#include <link.h>

#include <algorithm>
#include <cstring>

namespace greta::recorder {
namespace {

void read_needs(const dl_phdr_info& info, const ElfW(Dyn) * dynamic, LoadedObject* object) {
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_STRTAB) continue;
    const uintptr_t value = entry->d_un.d_ptr;  // some loaders leave the offset
    names = reinterpret_cast<const char*>(value < info.dlpi_addr ? info.dlpi_addr + value : value);
  }
  if (names == nullptr) return;
  for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED) object->needed.emplace_back(names + entry->d_un.d_val);
    if (entry->d_tag == DT_SONAME) object->soname = names + entry->d_un.d_val;
  }
}

int add_object(dl_phdr_info* info, size_t, void* objects) {
  LoadedObject object;
  object.path = info->dlpi_name != nullptr ? info->dlpi_name : "";
  object.base = info->dlpi_addr;
  object.code.begin = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) {
      read_needs(*info, reinterpret_cast<const ElfW(Dyn)*>(begin), &object);
    }
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    object.code.begin = std::min(object.code.begin, begin);
    object.code.end = std::max(object.code.end, begin + part.p_memsz);
  }
  static_cast<std::vector<LoadedObject>*>(objects)->push_back(std::move(object));
  return 0;
}

bool is_called(const LoadedObject& object, const std::string& name) {
  if (object.soname == name || object.path == name) return true;
  const size_t slash = object.path.rfind('/');
  return slash != std::string::npos && object.path.compare(slash + 1, std::string::npos, name) == 0;
}

// The loader takes the first that has the name, too.
size_t find_needed(const std::vector<LoadedObject>& objects, const std::string& name) {
  const auto found = std::find_if(objects.begin(), objects.end(),
                                  [&](const LoadedObject& one) { return is_called(one, name); });
  return static_cast<size_t>(found - objects.begin());
}

bool needs(const std::vector<LoadedObject>& objects, size_t first, size_t wanted) {
  std::vector<bool> seen(objects.size() + 1);
  std::vector<size_t> open{first};
  seen[first] = true;
  while (!open.empty()) {
    const size_t object = open.back();
    open.pop_back();
    if (object == wanted) return true;
    for (const std::string& name : objects[object].needed) {
      const size_t needed = find_needed(objects, name);
      if (needed == objects.size() || seen[needed]) continue;
      seen[needed] = true;
      open.push_back(needed);
    }
  }
  return false;
}

}  // namespace

std::vector<LoadedObject> loaded_objects() {
  std::vector<LoadedObject> objects;
  dl_iterate_phdr(add_object, &objects);
  return objects;
}

const LoadedObject& opened_with(const std::vector<LoadedObject>& objects, size_t object) {
  for (size_t first = 0; first < object; ++first) {
    if (needs(objects, first, object)) return objects[first];
  }
  return objects[object];
}

}  // namespace greta::recorder
