#include "recorder/sites/loaded_code.h"

#include <link.h>

namespace greta::recorder {
namespace {

struct Search {
  uintptr_t wanted;
  Code found;
};

int find_code(dl_phdr_info* info, size_t, void* given) {
  auto* search = static_cast<Search*>(given);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    const Code code{begin, begin + part.p_memsz};
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    if (!code.contains(search->wanted)) continue;
    search->found = code;
    return 1;
  }
  return 0;
}

}  // namespace

Code code_around(uintptr_t address) {
  Search search{address, {}};
  dl_iterate_phdr(find_code, &search);
  return search.found;
}

}  // namespace greta::recorder
