#include "recorder/library_copies.h"

#include <link.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "recorder/host_watch.h"
#include "recorder/watchable_memory.h"

namespace greta::recorder {
namespace {

void* copy_around_watch(void* to, const void* from, size_t bytes) {
  if (host_watch().copy_around(to, from, bytes)) return to;
  return std::memmove(to, from, bytes);
}

struct Dynamic {
  uintptr_t base = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  PageRange relocations[2];  // of data, of the procedure linkage table
};

// The loader has turned these into addresses; some loaders leave the offsets.
uintptr_t address_of(const Dynamic& dynamic, uintptr_t value) {
  return value < dynamic.base ? dynamic.base + value : value;
}

Dynamic read_dynamic(uintptr_t base, const ElfW(Dyn) * entry) {
  Dynamic d;
  d.base = base;
  uintptr_t sizes[2] = {};
  for (; entry->d_tag != DT_NULL; ++entry) {
    const uintptr_t value = entry->d_un.d_ptr;
    const uintptr_t address = address_of(d, value);
    if (entry->d_tag == DT_SYMTAB) d.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) d.names = reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_RELA) d.relocations[0].begin = address;
    if (entry->d_tag == DT_JMPREL) d.relocations[1].begin = address;
    if (entry->d_tag == DT_RELASZ) sizes[0] = value;
    if (entry->d_tag == DT_PLTRELSZ) sizes[1] = value;
  }
  for (int i = 0; i < 2; ++i) d.relocations[i].end = d.relocations[i].begin + sizes[i];
  return d;
}

bool is_copy(const Dynamic& d, const ElfW(Rela) & relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
  if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) return false;
  const char* name = d.names + d.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
  return std::strcmp(name, "memcpy") == 0 || std::strcmp(name, "memmove") == 0;
}

void redirect(uintptr_t slot, bool was_writable) {
  void* page = reinterpret_cast<void*>(page_of(slot));
  if (mprotect(page, kPageBytes, PROT_READ | PROT_WRITE) != 0) return;
  const auto ours = reinterpret_cast<uintptr_t>(&copy_around_watch);
  __atomic_store_n(reinterpret_cast<uintptr_t*>(slot), ours, __ATOMIC_RELEASE);
  if (!was_writable) mprotect(page, kPageBytes, PROT_READ);
}

struct Search {
  uintptr_t wanted;
};

bool contains(const dl_phdr_info& info, uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) return true;
  }
  return false;
}

PageRange read_only_after_relocation(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_RELRO) return {page_of(begin), page_of(begin + part.p_memsz)};
  }
  return {};
}

const ElfW(Dyn) * dynamic_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

int redirect_in(dl_phdr_info* info, size_t, void* search) {
  if (!contains(*info, static_cast<Search*>(search)->wanted)) return 0;
  const ElfW(Dyn)* dynamic = dynamic_of(*info);
  if (dynamic == nullptr) return 1;
  const Dynamic d = read_dynamic(info->dlpi_addr, dynamic);
  const PageRange read_only = read_only_after_relocation(*info);
  for (const PageRange& range : d.relocations) {
    const auto* end = reinterpret_cast<const ElfW(Rela)*>(range.end);
    for (auto* r = reinterpret_cast<const ElfW(Rela)*>(range.begin); r < end; ++r) {
      const uintptr_t slot = info->dlpi_addr + r->r_offset;
      if (is_copy(d, *r)) redirect(slot, !read_only.contains(slot));
    }
  }
  return 1;
}

}  // namespace

void redirect_copies_of_library(const void* function) {
  static std::atomic<const void*> done{nullptr};
  if (done.exchange(function) == function) return;
  Search search{reinterpret_cast<uintptr_t>(function)};
  dl_iterate_phdr(redirect_in, &search);
}

}  // namespace greta::recorder
