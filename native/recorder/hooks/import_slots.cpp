#include "recorder/hooks/import_slots.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "recorder/lanes/own_files.h"

namespace greta::recorder {
namespace {

constexpr uintptr_t kPageBytes = 4096;
uintptr_t page_of(uintptr_t address) { return address & ~(kPageBytes - 1); }

struct Relocations {
  uintptr_t begin = 0;
  uintptr_t bytes = 0;
};

struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  Relocations relocations[2];  // of data, of the procedure linkage table
};

// The loader has turned these into addresses; some loaders leave the offsets.
uintptr_t address_in(const dl_phdr_info& info, uintptr_t value) {
  return value < info.dlpi_addr ? info.dlpi_addr + value : value;
}

const ElfW(Dyn) * dynamic_entries(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

Dynamic read_dynamic(const dl_phdr_info& info) {
  Dynamic d;
  const ElfW(Dyn)* entry = dynamic_entries(info);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    const uintptr_t value = entry->d_un.d_ptr;
    const uintptr_t address = address_in(info, value);
    if (entry->d_tag == DT_SYMTAB) d.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) d.names = reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_RELA) d.relocations[0].begin = address;
    if (entry->d_tag == DT_RELASZ) d.relocations[0].bytes = value;
    if (entry->d_tag == DT_JMPREL) d.relocations[1].begin = address;
    if (entry->d_tag == DT_PLTRELSZ) d.relocations[1].bytes = value;
  }
  return d;
}

bool is_import(const ElfW(Rela) & relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
  const bool is_slot = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
                       (type == R_X86_64_64 && relocation.r_addend == 0);
  return is_slot && ELF64_R_SYM(relocation.r_info) != 0;
}

// What the loader makes read-only when it has filled it.
bool is_read_only_later(const dl_phdr_info& info, uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    return address >= page_of(begin) && address < page_of(begin + part.p_memsz);
  }
  return false;
}

// While the loader holds still: it neither adds nor removes objects.
template <typename Visit>
void visit(const LoadedObject& object, Visit visitor) {
  struct Search {
    const LoadedObject& object;
    Visit& visitor;
  } search{object, visitor};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* given) {
        auto& wanted = *static_cast<Search*>(given);
        const char* path = info->dlpi_name != nullptr ? info->dlpi_name : "";
        if (info->dlpi_addr != wanted.object.base || wanted.object.path != path) return 0;
        wanted.visitor(*info);
        return 1;
      },
      &search);
}

template <typename Take>
void for_each_import(const dl_phdr_info& info, Take take) {
  const Dynamic d = read_dynamic(info);
  if (d.symbols == nullptr || d.names == nullptr) return;
  for (const Relocations& part : d.relocations) {
    const auto* relocation = reinterpret_cast<const ElfW(Rela)*>(part.begin);
    const auto* end = relocation + part.bytes / sizeof *relocation;
    for (; relocation < end; ++relocation) {
      if (!is_import(*relocation)) continue;
      const char* name = d.names + d.symbols[ELF64_R_SYM(relocation->r_info)].st_name;
      take(info.dlpi_addr + relocation->r_offset, name);
    }
  }
}

// By /proc/self/maps. What cannot be read counts as writable, and is left alone.
bool is_writable(uintptr_t address) {
  const int file = open_own("/proc/self/maps", O_RDONLY);
  std::FILE* maps = file >= 0 ? fdopen(file, "r") : nullptr;
  if (maps == nullptr) {
    if (file >= 0) close(file);
    return true;
  }
  bool writable = true;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, maps) > 0) {
    unsigned long begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (address < begin || address >= end) continue;
    writable = rights[1] == 'w';
    break;
  }
  std::free(line);
  std::fclose(maps);
  return writable;
}

void change(const SlotChange& one) {
  uintptr_t expected = one.from;
  __atomic_compare_exchange_n(reinterpret_cast<uintptr_t*>(one.address), &expected, one.to, false,
                              __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void change_protected(const SlotChange& one) {
  void* page = reinterpret_cast<void*>(page_of(one.address));
  if (mprotect(page, kPageBytes, PROT_READ | PROT_WRITE) != 0) return;  // not to be had
  change(one);
  mprotect(page, kPageBytes, PROT_READ);
}

}  // namespace

std::vector<ImportSlot> import_slots(const LoadedObject& object, bool (*is_wanted)(const char*)) {
  std::vector<ImportSlot> found;
  visit(object, [&](const dl_phdr_info& info) {
    for_each_import(info, [&](uintptr_t slot, const char* name) {
      if (!is_wanted(name)) return;
      const auto* place = reinterpret_cast<const uintptr_t*>(slot);
      found.push_back({slot, __atomic_load_n(place, __ATOMIC_RELAXED), name});
    });
  });
  return found;
}

bool change_slots(const LoadedObject& object, const std::vector<SlotChange>& changes) {
  bool complete = true;
  visit(object, [&](const dl_phdr_info& info) {
    uintptr_t page = 0;
    bool is_filled = false;
    for (const SlotChange& one : changes) {
      if (!is_read_only_later(info, one.address)) {
        change(one);
        continue;
      }
      if (page_of(one.address) != page) {
        page = page_of(one.address);
        // Still writable: a thread is filling it. Were it protected by us, the other would fault;
        // were it protected by the other between our question and the change, we would.
        is_filled = !is_writable(page);
        complete &= is_filled;
      }
      if (is_filled) change_protected(one);
    }
  });
  return complete;
}

}  // namespace greta::recorder
