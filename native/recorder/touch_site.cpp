#include "recorder/touch_site.h"

#include <link.h>

#include <cstring>

namespace greta::recorder {
namespace {

struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
};

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

Code code_around(uintptr_t address) {
  Search search{address, {}};
  dl_iterate_phdr(find_code, &search);
  return search.found;
}

Code g_c_library;

// call rel32; call r/m64 in its usual lengths.
bool follows_a_call(uintptr_t address) {
  const auto* code = reinterpret_cast<const unsigned char*>(address);
  return code[-5] == 0xe8 || code[-2] == 0xff || code[-3] == 0xff || code[-6] == 0xff;
}

}  // namespace

void find_c_library() {
  void* (*const copy)(void*, const void*, size_t) = &std::memmove;
  g_c_library = code_around(reinterpret_cast<uintptr_t>(copy));
}

uintptr_t touch_site(uintptr_t instruction, uintptr_t stack_pointer) {
  if (!g_c_library.contains(instruction)) return instruction + 1;
  const uintptr_t caller = *reinterpret_cast<const uintptr_t*>(stack_pointer);
  const Code code = code_around(caller);
  const bool is_call = code.contains(caller - 7) && follows_a_call(caller);
  return is_call && !g_c_library.contains(caller) ? caller : instruction + 1;
}

}  // namespace greta::recorder
